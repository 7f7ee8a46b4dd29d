// terser, esbuild and swc behind one call. swc runs in a child of its own: some valid programs make it
// panic, which ends the process.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as terser from 'terser';

const self = fileURLToPath(import.meta.url);

if (process.argv[2] === '--swc-child') {
  const { default: swc } = await import('@swc/core');
  process.on('message', async ({ text, module }) => {
    try { process.send({ code: (await swc.minify(text, { module, compress: true, mangle: true })).code }); }
    catch (error) { process.send({ error: String(error.message) }); }
  });
}

let child;
function minifyWithSwc(text, module) {
  child ??= fork(self, ['--swc-child'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return new Promise((resolve, reject) => {
    const ended = () => { child = undefined; reject(new Error('swc panicked')); };
    child.once('exit', ended);
    child.once('message', ({ code, error }) => {
      child.off('exit', ended);
      if (error) reject(new Error(error));
      else resolve(code);
    });
    child.send({ text, module });
  });
}

export const minifiers = {
  terser: async (text, module) => (await terser.minify(text, { module, mangle: true })).code,
  esbuild: async (text, module) => (await esbuild.transform(text,
    { minify: true, format: module ? 'esm' : undefined, charset: 'utf8', logLevel: 'silent' })).code,
  swc: minifyWithSwc,
};

export function stopMinifiers() {
  child?.disconnect();
  child = undefined;
}
