import { sportSlugs, sports } from '#domain/sports.ts';
import { Section } from '#web/ui/card.tsx';
import { CornerArc, HalfPitch, HalfwayLine } from '#web/ui/page/pitch-lines.tsx';
import { SportDot, sportStyle } from '#web/ui/sport-dot.tsx';
import { Specimen } from './specimen.tsx';

const swatches = [
  ['background', 'bg-background'],
  ['card', 'bg-card'],
  ['popover', 'bg-popover'],
  ['muted', 'bg-muted'],
  ['accent', 'bg-accent'],
  ['selected', 'bg-selected'],
  ['border', 'bg-border'],
  ['input', 'bg-input'],
  ['chalk', 'bg-chalk'],
  ['foreground', 'bg-foreground'],
  ['muted-foreground', 'bg-muted-foreground'],
  ['primary', 'bg-primary'],
  ['primary-soft', 'bg-primary-soft'],
  ['success', 'bg-success'],
  ['success-mark', 'bg-success-mark'],
  ['success-soft', 'bg-success-soft'],
  ['warning', 'bg-warning'],
  ['warning-mark', 'bg-warning-mark'],
  ['warning-soft', 'bg-warning-soft'],
  ['destructive', 'bg-destructive'],
  ['destructive-soft', 'bg-destructive-soft'],
] as const;

function Palette({ theme }: { theme: 'light' | 'dark' }) {
  return (
    <div data-theme={theme} className="rounded-lg border bg-background p-4 text-foreground">
      <p className="mb-3 text-sm font-medium">{theme === 'light' ? 'Light' : 'Dark'}</p>
      <ul className="grid grid-cols-2 gap-2 text-xs sm:grid-cols-3">
        {swatches.map(([name, fill]) => (
          <li key={name} className="flex min-w-0 items-center gap-2">
            <span className={`size-8 shrink-0 rounded-md border ${fill}`} />
            <span className="truncate">{name}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Colours, type, illustrations and sports. */
export function FoundationSpecimens() {
  return (
    <Section
      title="Foundations"
      description="The tokens in styles.css in both themes, the type scale, the sports and the pitch lines."
    >
      <Specimen name="Colour">
        <div className="grid gap-4 lg:grid-cols-2">
          <Palette theme="light" />
          <Palette theme="dark" />
        </div>
      </Specimen>
      <Specimen name="Type">
        <div className="space-y-2">
          <p className="text-3xl font-semibold tracking-tight">Meet at the line, 40</p>
          <p className="text-2xl font-semibold tracking-tight">Saturday on court three, 28</p>
          <p className="text-xl font-semibold tracking-tight">Beginners' football, 22</p>
          <p className="text-lg">What to bring, 18</p>
          <p className="max-w-reading">
            Boots or trainers, a bottle of water and something warm for afterwards. Coaches wait ten minutes.
            16
          </p>
          <p className="text-sm text-muted-foreground">Muted text, 14</p>
          <p className="text-xs text-muted-foreground tabular-nums">Sat 21 Nov, 09:00–10:00, 13</p>
        </div>
      </Specimen>
      <Specimen name="Sports (dot, soft, solid)">
        <ul className="flex flex-wrap gap-2 text-sm">
          {sportSlugs.map((sport) => (
            <li key={sport} style={sportStyle(sport)} className="flex items-center gap-2">
              <span className="inline-flex items-center gap-2 rounded-md border-l-3 border-sport bg-sport-soft px-2.5 py-1.5">
                <SportDot sport={sport} />
                {sports[sport]}
              </span>
              <span className="rounded-md bg-sport-solid px-2.5 py-1.5 font-medium text-sport-solid-foreground">
                3/8
              </span>
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen name="Pitch lines">
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="relative h-56 overflow-hidden rounded-lg border bg-card">
            <HalfPitch className="absolute inset-0 size-full" />
          </div>
          <div className="relative h-56 overflow-hidden rounded-lg border bg-card">
            <CornerArc />
            <HalfwayLine className="absolute inset-x-0 bottom-6" />
          </div>
        </div>
      </Specimen>
    </Section>
  );
}
