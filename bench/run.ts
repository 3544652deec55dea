// npm run bench -- [discover|booking|start] [--quick]
import { benchBooking } from './booking.ts';
import { benchDiscover } from './discover.ts';
import { benchStart } from './start.ts';

const isQuick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const benches: Record<string, () => Promise<void>> = {
  discover: () => benchDiscover(isQuick ? { seconds: 0.5, rounds: 1 } : { seconds: 0.7, rounds: 3 }),
  booking: () => benchBooking(isQuick ? { bookings: 300, rounds: 1 } : { bookings: 800, rounds: 3 }),
  start: () => benchStart({ rounds: isQuick ? 1 : 3 }),
};
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const bench = benches[name];
  if (!bench) throw new Error(`There is no bench "${name}"; there are ${Object.keys(benches).join(', ')}.`);
  await bench();
}
process.exit(0);
