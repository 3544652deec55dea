import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './ensure-installed.mjs';

ensureInstalled();

// The browser connects to Vite on PORT. Vite proxies the server's paths to the API on the next port.
const port = Number(process.env.PORT ?? 3000);
const apiPort = port + 1;
const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${port}`;
const bin = join(root, 'node_modules', '.bin');
const env = {
  ...process.env,
  NODE_ENV: 'development',
  API_PORT: String(apiPort),
  PUBLIC_URL: publicUrl,
  // tsx reads one configuration for all files, and the one in the root has no JSX settings.
  TSX_TSCONFIG_PATH: join(root, 'tsconfig.run.json'),
};

/** @type {import('node:child_process').ChildProcess[]} */
const programs = [
  start('tsx', ['watch', '--clear-screen=false', 'src/server/main.ts'], { PORT: String(apiPort) }),
  start('vite', ['--port', String(port), '--strictPort', '--clearScreen', 'false'], {}),
];
console.log(`Development server with hot reload: ${publicUrl} (API on port ${apiPort}). Ctrl-C stops it.`);

let isStopping = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, stop);
for (const program of programs) {
  program.once('exit', (code) => {
    if (!isStopping) process.exitCode = code ?? 1;
    stop();
  });
}

function stop() {
  isStopping = true;
  for (const program of programs) if (program.exitCode === null) program.kill('SIGTERM');
}

/**
 * @param {string} name
 * @param {string[]} args
 * @param {Record<string, string>} more
 */
function start(name, args, more) {
  return spawn(join(bin, name), args, {
    cwd: root,
    env: { ...env, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
