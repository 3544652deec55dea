import { sportHues } from '#domain/sport-hues.ts';
import type { Sport } from '#domain/sports.ts';

const skins = ['#f2cfae', '#d9a272', '#a86e44', '#74472a', '#ecbd94', '#8d5a36'];
const hairs = ['#2b211c', '#6b4226', '#b5772f', '#8a8f94', '#4a2f22', '#c9a24e'];

/** Hair for a head with its centre at (256, 236): short, long, curly, in a bun, or under a cap. */
const hairShapes = [
  (colour: string) =>
    `<path d="M158 222c-6-92 42-126 98-126s104 34 98 126c-14-46-44-62-98-62s-84 16-98 62z" fill="${colour}"/>`,
  (colour: string) =>
    `<path d="M150 360c-12-150-18-270 106-270s118 120 106 270h-40c16-96 14-166-66-172-80 6-82 76-66 172z" fill="${colour}"/>`,
  (colour: string) =>
    `<g fill="${colour}"><circle cx="178" cy="158" r="38"/><circle cx="216" cy="124" r="40"/><circle cx="262" cy="112" r="42"/><circle cx="306" cy="128" r="38"/><circle cx="336" cy="162" r="36"/></g>`,
  (colour: string) =>
    `<circle cx="256" cy="82" r="38" fill="${colour}"/><path d="M160 214c-2-80 42-112 96-112s98 32 96 112c-22-40-56-54-96-54s-74 14-96 54z" fill="${colour}"/>`,
  (_: string, shade: string) =>
    `<path d="M160 190c2-66 44-96 96-96s94 30 96 96z" fill="${shade}"/><path d="M150 184h224c10 0 12 16 0 18H150z" fill="${shade}"/>`,
];

/**
 * A portrait of a made-up person as an SVG of 512 × 512: flat shapes in the colour of a sport, in front of pitch lines.
 * `person` selects skin, hair and glasses.
 */
export function illustratePerson(person: number, sport: Sport): string {
  const hue = sportHues[sport];
  const at = <T>(list: readonly T[], step: number): T => list[(person * step + 1) % list.length]!;
  const [skin, hair, shape] = [at(skins, 5), at(hairs, 1), at(hairShapes, 2)];
  const [soft, line, shirt] = [`hsl(${hue} 36% 86%)`, `hsl(${hue} 34% 70%)`, `hsl(${hue} 42% 38%)`];
  const glasses = person % 4 === 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
<rect width="512" height="512" fill="${soft}"/>
<g fill="none" stroke="${line}" stroke-width="6"><circle cx="0" cy="512" r="190"/><path d="M512 120H372a110 110 0 0 0 0 220h140"/></g>
<path d="M76 512c4-104 84-142 180-142s176 38 180 142z" fill="${shirt}"/>
<path d="M214 330h84v58c0 30-84 30-84 0z" fill="${skin}"/>
<path d="M214 372c18 30 66 30 84 0" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="9"/>
${shape === hairShapes[1] ? shape(hair, shirt) : ''}
<ellipse cx="256" cy="236" rx="88" ry="108" fill="${skin}"/>
${shape === hairShapes[1] ? `<path d="M168 222c0-72 36-104 88-104s88 32 88 104c-26-30-40-44-52-62-26 26-74 44-124 62z" fill="${hair}"/>` : shape(hair, shirt)}
<g fill="#2a2320"><circle cx="222" cy="244" r="8"/><circle cx="290" cy="244" r="8"/></g>
${glasses ? '<g fill="none" stroke="#2a2320" stroke-width="5"><circle cx="222" cy="244" r="25"/><circle cx="290" cy="244" r="25"/><path d="M247 244h18"/></g>' : ''}
<path d="M224 292c16 20 48 20 64 0" fill="none" stroke="#2a2320" stroke-width="7" stroke-linecap="round"/>
</svg>`;
}

/** The markings of a sport's pitch or court, as SVG. Sports without an entry get waves. */
const grounds: Partial<Record<Sport, string>> = {
  tennis:
    '<g fill="none" stroke="#fff" stroke-width="8"><path d="M250 820L470 420h660l220 400zM360 620h880M800 420v200"/><path d="M330 520h940" stroke-width="12" stroke-opacity=".75"/></g>',
  football:
    '<g fill="none" stroke="#fff" stroke-width="8"><path d="M120 860L420 420h760l300 440M800 420v440"/><ellipse cx="800" cy="620" rx="190" ry="90"/><path d="M560 420v-70h480v70" stroke-width="12"/></g>',
};
const waves =
  '<g fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="8"><path d="M0 560q100-40 200 0t200 0 200 0 200 0 200 0 200 0 200 0 200 0M0 700q100-40 200 0t200 0 200 0 200 0 200 0 200 0 200 0 200 0M0 840q100-40 200 0t200 0 200 0 200 0 200 0 200 0 200 0 200 0"/></g>';

/** The scenes of a demo gallery with their descriptions. */
export const scenes = [
  {
    name: 'morning',
    alt: 'Illustration: an empty sports ground in the morning sun',
    sky: 42,
    sun: [1180, 230],
  },
  {
    name: 'midday',
    alt: 'Illustration: the same ground at midday, with cones for a warm-up',
    sky: 205,
    sun: [820, 130],
  },
  {
    name: 'evening',
    alt: 'Illustration: the same ground under floodlights in the evening',
    sky: 258,
    sun: null,
  },
] as const;

/** One of {@link scenes} on a sport's pitch or court, as an SVG of 1600 × 1000. */
export function illustrateScene(sport: Sport, scene: (typeof scenes)[number]): string {
  const hue = sportHues[sport];
  const isEvening = scene.sun === null;
  const ground = `hsl(${sport === 'swimming' || sport === 'rowing' ? 205 : hue} ${isEvening ? '30% 28%' : '36% 46%'})`;
  const lights = [180, 1420]
    .map(
      (x) =>
        `<path d="M${x} 420V170" stroke="#20272c" stroke-width="14"/><rect x="${x - 60}" y="130" width="120" height="44" rx="8" fill="#fff7d6"/>`,
    )
    .join('');
  const cones = [360, 560, 760, 960].map((x) => `<path d="M${x} 780l26-70 26 70z" fill="#f08a3c"/>`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" viewBox="0 0 1600 1000">
<rect width="1600" height="1000" fill="hsl(${scene.sky} ${isEvening ? '34% 24%' : '62% 86%'})"/>
${scene.sun ? `<circle cx="${scene.sun[0]}" cy="${scene.sun[1]}" r="86" fill="#fff3c4"/>` : lights}
<path d="M0 420c200-60 380-60 560-20s420 30 620-10 300-20 420 10v40H0z" fill="hsl(${hue} 24% ${isEvening ? 18 : 62}%)"/>
<rect y="420" width="1600" height="580" fill="${ground}"/>
${grounds[sport] ?? waves}
${scene.name === 'midday' ? cones : ''}
</svg>`;
}
