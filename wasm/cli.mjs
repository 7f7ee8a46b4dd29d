#!/usr/bin/env node
// `twofold symbolicate` on the WebAssembly core: the same answers as the native command, byte for byte.
//
//   node cli.mjs symbolicate [--json] [--context LINES] -a PATH [-a PATH ...] TRACE|-
//
// The files of the package lie beside this one, or in the folder that TWOFOLD_WASM names, or where the
// `wasm` preset builds them. This is the only file of the package that knows node and its file system.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const kUsage = 'usage: cli.mjs symbolicate [--json] [--context LINES] -a PATH [-a PATH ...] TRACE|-';
const kExitFailed = 1;
const kExitUsage = 2;

/** What ends the program: one line on standard error and an exit status. */
class Failure extends Error {
  constructor(message, status = kExitFailed) {
    super(message);
    this.status = status;
  }
}

function parseArguments(given) {
  const parsed = { artifacts: [], trace: undefined, asJson: false, context: undefined };
  const [command, ...rest] = given;
  if (command !== 'symbolicate') throw new Failure(`usage: unknown command ${command ?? ''} (${kUsage})`, kExitUsage);
  for (let i = 0; i < rest.length; i++) {
    const argument = rest[i];
    if (argument === '--json') parsed.asJson = true;
    else if (argument === '--context') parsed.context = parseContext(rest[++i]);
    else if (argument === '-a' || argument === '--artifact') parsed.artifacts.push(rest[++i]);
    else if (argument.startsWith('--artifact=')) parsed.artifacts.push(argument.slice('--artifact='.length));
    else if (argument.startsWith('-') && argument !== '-') throw new Failure(`usage: unknown option ${argument}`, kExitUsage);
    else if (parsed.trace === undefined) parsed.trace = argument;
    else throw new Failure(`usage: one argument too many: ${argument}`, kExitUsage);
  }
  if (parsed.trace === undefined || parsed.artifacts.length === 0 || parsed.artifacts.includes(undefined)) {
    throw new Failure(kUsage, kExitUsage);
  }
  return parsed;
}

function parseContext(text) {
  if (!/^\d{1,4}$/.test(text ?? '') || Number(text) > 1000) {
    throw new Failure(`usage: --context takes a number of lines from 0 to 1000 (${kUsage})`, kExitUsage);
  }
  return Number(text);
}

function readOrFail(file) {
  try {
    return fs.readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Failure(`${file}: ${error.code === 'ENOENT' ? 'not_found' : 'io'}: ${error.code}`);
  }
}

/** The files below a folder in byte order of their paths; linked folders are not followed. */
function listFiles(folder) {
  const files = [];
  const folders = [folder];
  while (folders.length > 0) {
    const at = folders.pop();
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const file = at.endsWith('/') ? at + entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) folders.push(file);
      else if (fs.statSync(file, { throwIfNoEntry: false })?.isFile()) files.push(file);
    }
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Adds a file or all files of a folder. */
function addArtifacts(symbolicator, artifact) {
  const info = fs.statSync(artifact, { throwIfNoEntry: false });
  if (!info) throw new Failure(`${artifact}: not_found: no such file or folder`);
  if (!info.isDirectory()) {
    symbolicator.add(artifact, readOrFail(artifact));
    return;
  }
  for (const file of listFiles(artifact)) symbolicator.add(file, readOrFail(file));
}

function findPackage() {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const folders = [process.env.TWOFOLD_WASM, here, path.join(here, '../build/wasm/wasm')].filter(Boolean);
  const found = folders.find((folder) => fs.existsSync(path.join(folder, 'twofold_core.wasm')));
  if (!found) throw new Failure(`twofold_core.wasm: not_found: neither in ${folders.join(' nor in ')}`);
  return found;
}

async function main() {
  const { artifacts, trace, asJson, context } = parseArguments(process.argv.slice(2));
  const folder = findPackage();
  const { load } = await import(pathToFileURL(path.join(folder, 'index.mjs')).href);
  const twofold = await load(fs.readFileSync(path.join(folder, 'twofold_core.wasm')));
  const symbolicator = twofold.symbolicator();
  for (const artifact of artifacts) addArtifacts(symbolicator, artifact);
  const text = readOrFail(trace);
  if (asJson) {
    fs.writeFileSync(1, symbolicator.symbolicateJson(text, { context }) + '\n');
  } else {
    const answer = symbolicator.symbolicate(text, { context });
    for (const fault of answer.artifacts) note(`${fault.artifact}: ${fault.reason}: ${fault.detail}`);
    fs.writeFileSync(1, answer.textBytes);
  }
  symbolicator.free();
}

const note = (text) => process.stderr.write(`twofold: ${text.replace(/[\r\n]/g, ' ')}\n`);

main().catch((error) => {
  note(error.message);
  process.exitCode = error.status ?? kExitFailed;
});
