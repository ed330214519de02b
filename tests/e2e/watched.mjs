// What the tests of a watched agent share: ids that hold their time, the bar, and the way to it.
import { started } from './page.mjs';

/** A time of the fake agent, in milliseconds since the epoch. */
export const T = 1781000000000;

/** An id as the agents make them, of so many milliseconds after `T`. */
export const id = (prefix, ms) => `${prefix}_${((BigInt(T + ms) * 4096n + 1n) & ((1n << 48n) - 1n)).toString(16).padStart(12, '0')}aAbBcCdDeEfFgG`;

/** An event of the bus. */
export const event = (ms, type, properties) => ({ id: id('evt', ms), type, properties });

/** The bar over a watched agent. */
export const bar = (page) => page.getByRole('region', { name: 'Live connection' });

/** Types an address into the empty page, and asks for its stream. */
export async function connect(page, server) {
  await started(page);
  await page.getByText('Connect to a running agent').click();
  await page.getByLabel('Address').fill(server.url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}
