import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled, root } from './ensure-installed.mjs';

ensureInstalled();
if (!ensureBuilt()) process.exit(1);

// Runs the server in this process: a second process would slow every start and have to forward signals to the server.
const program = join(root, 'dist', 'server', 'main.js');
process.chdir(root);
process.argv[1] = program;
await import(pathToFileURL(program).href);
