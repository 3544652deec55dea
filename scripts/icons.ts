// Renders the icons of the installed app and the picture for shared links from the product's mark: `npx tsx
// scripts/icons.ts` writes them to src/web/public/icons.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { packageRoot } from '#server/platform/package-root.ts';
import { findChromium } from './find-chromium.mjs';

const folder = join(packageRoot, 'src', 'web', 'public', 'icons');
const pitch = '#10231b';
const chalk = '#fbfaf7';
const ball = '#6f9bff';

const mark = `<g fill="none" stroke="${chalk}" stroke-width="2.25" stroke-linecap="round"><path d="M7.5 25V7.5H25"/><path d="M7.5 17.5a10 10 0 0 0 10-10"/></g><circle cx="21.5" cy="21.5" r="3.5" fill="${ball}"/>`;

/**
 * The mark on its background, as SVG. With `rounded`, the icon has rounded corners; otherwise a device may crop it to
 * its middle 80%.
 */
function createIcon({ rounded }: { rounded: boolean }): string {
  const ground = `<rect width="32" height="32"${rounded ? ' rx="7"' : ''} fill="${pitch}"/>`;
  const inside = rounded
    ? mark
    : `<g transform="translate(16 16) scale(.72) translate(-16.2 -16.2)">${mark}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Logo</title>${ground}${inside}</svg>\n`;
}

const card = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="${pitch}"/>
<g fill="none" stroke="${chalk}" stroke-opacity=".34" stroke-width="3"><path d="M0 75h210v480H0M0 190h75v250H0M210 240a96 96 0 0 1 0 150"/><path d="M1200 75H990v480h210M1200 190h-75v250h75M990 240a96 96 0 0 0 0 150"/><path d="M600 0v630"/><circle cx="600" cy="315" r="150"/></g>
<circle cx="600" cy="315" r="120" fill="${pitch}"/>
<g transform="translate(600 315) scale(7.5) translate(-16.2 -16.2)">${mark}</g></svg>\n`;

const rounded = createIcon({ rounded: true });
const whole = createIcon({ rounded: false });
const pictures: [name: string, svg: string, width: number, height: number][] = [
  ['icon-192.png', rounded, 192, 192],
  ['icon-512.png', rounded, 512, 512],
  ['icon-maskable-512.png', whole, 512, 512],
  ['apple-touch-icon.png', whole, 180, 180],
  ['social-card.png', card, 1200, 630],
];

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'icon.svg'), rounded);
writeFileSync(join(folder, 'icon-maskable.svg'), whole);
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--disable-dev-shm-usage'] });
const page = await browser.newPage();
for (const [name, svg, width, height] of pictures) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  await page.screenshot({ path: join(folder, name), omitBackground: true });
}
await browser.close();
