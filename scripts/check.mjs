import { runChecks } from './checks.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled();
const { passed, failed } = await runChecks();
console.log(`${passed} checks passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
