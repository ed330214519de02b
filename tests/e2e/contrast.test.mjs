// Measures the contrast of both themes, from the colours in theme.css: every text colour on every ground that it stands
// on, and what draws shapes. WCAG 2.2: 4.5:1 for text, 3:1 for the parts of controls and for graphics.
//
// `node tests/e2e/contrast.test.mjs --print` lists the ratios.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('../../web/styles/theme.css', import.meta.url), 'utf8').replace(/\/\*[^]*?\*\//g, '');

/** The custom properties of a rule, by its selector. */
function properties(selector) {
  const at = css.indexOf(`\n${selector} {`) + 1 || css.indexOf(`${selector} {`);
  const body = css.slice(css.indexOf('{', at) + 1, css.indexOf('}', at));
  return Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name.slice(2), value.trim()]));
}

const light = properties(':root');
const themes = { light, dark: { ...light, ...properties(':root[data-theme="dark"]') } };

/** Red, green and blue of a property, from 0 to 1. */
function colour(theme, name) {
  const value = themes[theme][name];
  assert.ok(value, `${theme}: --${name} is defined`);
  const other = value.match(/^var\(--([\w-]+)\)$/);
  if (other) return colour(theme, other[1]);
  const hex = value.match(/^#([\da-f]{3}|[\da-f]{6})$/i)?.[1];
  assert.ok(hex, `${theme}: --${name} is a plain colour: ${value}`);
  const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g);
  return digits.map((digit) => parseInt(digit, 16) / 255);
}

const luminance = (rgb) => {
  const [r, g, b] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

export function ratio(theme, front, back) {
  const [a, b] = [luminance(colour(theme, front)), luminance(colour(theme, back))].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

const KINDS = Object.keys(light).filter((name) => name.startsWith('k-'));
/** What text is written in, and on what. `accent-bg` is a selected row. */
const TEXT = [
  ...['ink', 'ink2', 'muted', 'accent', 'good', 'bad', 'warn', ...KINDS].flatMap((front) =>
    ['bg', 'panel', 'sunk', 'accent-bg'].map((back) => [front, back]),
  ),
  ['good', 'good-bg'],
  ['bad', 'bad-bg'],
  ['warn', 'warn-bg'],
  ['on-accent', 'accent'],
  ['ink', 'mark'],
  ['ink', 'line'],
  ['ink', 'good-bg'],
  ['ink', 'bad-bg'],
  ['ink', 'warn-bg'],
];
/** Borders of fields, focus, and colours that tell things apart. */
const SHAPES = [
  ...['edge', 'accent'].flatMap((front) => ['bg', 'panel', 'sunk'].map((back) => [front, back])),
  ...['c-work', 'c-wait', 't-uncached', 't-output', 't-reasoning', 'bad', 'warn'].map((front) => [front, 'panel']),
];
// Quiet parts of bars (cached input, model time, time that cannot be told, idle time) are lighter on purpose: each has its word and its figure
// beside it, and a gap to its neighbour.

const measured = ([front, back], least) =>
  Object.keys(themes).map((theme) => ({ theme, front, back, least, ratio: ratio(theme, front, back) }));
const all = [...TEXT.flatMap((pair) => measured(pair, 4.5)), ...SHAPES.flatMap((pair) => measured(pair, 3))];
const line = (m) => `${m.theme.padEnd(5)} ${m.front.padEnd(15)} on ${m.back.padEnd(9)} ${m.ratio.toFixed(2)}:1, at least ${m.least}:1`;

if (process.argv.includes('--print')) all.forEach((m) => console.log(line(m)));

test('contrast of every text and shape, both themes', () => {
  assert.ok(all.length > 150, `${all.length} pairs`);
  const low = all.filter((m) => m.ratio < m.least).map(line);
  assert.deepEqual(low, [], `too low:\n${low.join('\n')}`);
});

test('the measure is that of WCAG', () => {
  themes.light.black = '#000';
  themes.light.grey = '#767676';
  assert.equal(ratio('light', 'black', 'panel').toFixed(2), '21.00');
  assert.equal(ratio('light', 'grey', 'panel').toFixed(2), '4.54');
});

test('every colour of text is measured', () => {
  const named = new Set(all.flatMap((m) => [m.front, m.back]));
  const quiet = ['line', 'line2', 'shade', 'shadow', 't-cached', 'c-model', 'c-unsure', 'c-idle'];
  const colours = Object.entries(light).filter(([name, value]) => /^(#|var\(|rgb)/.test(value) && !['black', 'grey'].includes(name));
  assert.deepEqual(colours.map(([name]) => name).filter((name) => !named.has(name) && !quiet.includes(name)), []);
});
