import type { CSSProperties } from 'react';

/** The tokens of src/web/styles.css, light and dark, in sRGB, because email programs don't support OKLCH. */
export const emailColours = {
  background: ['#fbfaf7', '#0c1612'],
  foreground: ['#141d18', '#eeefea'],
  card: ['#fffefe', '#131f1a'],
  muted: ['#f0f1eb', '#1a2721'],
  'muted-foreground': ['#546057', '#a5b2a7'],
  border: ['#d9ddd6', '#2e3a33'],
  primary: ['#245fd4', '#87b1fd'],
  'primary-foreground': ['#fcfcf9', '#0a1326'],
} as const satisfies Record<string, [light: string, dark: string]>;

type Property = 'backgroundColor' | 'color' | 'borderColor';
type Paint = { [P in Property]?: keyof typeof emailColours };

/** The elements with colours. Each is a class, because only a style sheet can contain the dark theme. */
const paints = {
  page: { backgroundColor: 'background', color: 'foreground' },
  card: { backgroundColor: 'card', color: 'foreground', borderColor: 'border' },
  lesson: { backgroundColor: 'muted', color: 'foreground' },
  quote: { borderColor: 'border' },
  label: { color: 'muted-foreground', borderColor: 'border' },
  value: { borderColor: 'border' },
  button: { backgroundColor: 'primary', color: 'primary-foreground' },
  mark: { borderColor: 'primary' },
  quiet: { color: 'muted-foreground' },
} as const satisfies Record<string, Paint>;

const entriesOf = (paint: Paint) => Object.entries(paint) as [Property, keyof typeof emailColours][];

/**
 * The class and style of an element. The style has the light colours, the only ones that an email program without
 * `prefers-color-scheme` shows.
 */
export function paint(name: keyof typeof paints, style: CSSProperties) {
  const colours = entriesOf(paints[name]).map(([property, token]) => [property, emailColours[token][0]]);
  return { className: name, style: { ...(Object.fromEntries(colours) as CSSProperties), ...style } };
}

const cssNames = { backgroundColor: 'background-color', color: 'color', borderColor: 'border-color' };

const darkRules = Object.entries(paints).map(([name, colours]) => {
  const declarations = entriesOf(colours).map(
    ([property, token]) => `${cssNames[property]}:${emailColours[token][1]}!important`,
  );
  return `.${name}{${declarations.join(';')}}`;
});

/**
 * The style sheet: the dark theme and, on a phone, a button across the whole width and a fact's value below its label.
 */
export const styleSheet = `:root{color-scheme:light dark}
body{background-color:${emailColours.background[0]}}
@media (prefers-color-scheme:dark){
${darkRules.join('\n')}
}
@media (max-width:480px){
.button{display:block!important;text-align:center!important}
.label,.value{display:block!important;width:auto!important}
.label{padding-bottom:0!important}
.value{padding-top:0!important;border-top:0!important}
}`;

/** Inter only if the device has that font, because an email loads no fonts. */
export const fontFamily =
  "'Inter Variable',Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export const text = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px' } as const;
export const smallText = { margin: 0, fontSize: '13px', lineHeight: '20px' } as const;
