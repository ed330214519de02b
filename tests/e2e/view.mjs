// `steplens view`, started for a test.
import { spawn } from 'node:child_process';
import { cli, dist } from './harness.mjs';

/** What makes the command line serve the page under test. */
export const env = { ...process.env, STEPLENS_VIEWER: dist };

/** What starts `steplens view`: its address, as it prints it, and its folder. */
export function view(...args) {
  return async () => {
    const child = spawn(cli, ['view', ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const address = await new Promise((resolve, reject) => {
      child.stdout.once('data', (text) => resolve(String(text).trim()));
      child.once('exit', (code) => reject(new Error(`steplens view ended with ${code}`)));
    });
    const close = () => new Promise((resolve) => child.once('exit', resolve) && child.kill());
    return { url: address.split('#')[0], address, close, child };
  };
}
