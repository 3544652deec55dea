import { SkipLink } from '#web/ui/skip-link.tsx';
import { ThemeSwitch } from '#web/ui/theme-switch.tsx';
import { Toaster } from '#web/ui/toaster.tsx';
import { ButtonSpecimens } from './button-specimens.tsx';
import { FormSpecimens } from './form-specimens.tsx';
import { FoundationSpecimens } from './foundation-specimens.tsx';
import { OverlaySpecimens } from './overlay-specimens.tsx';
import { RecordSpecimens } from './record-specimens.tsx';
import { StateSpecimens } from './state-specimens.tsx';

/** The page /dev/ui: every component in every state, with the theme switch at hand. Not part of the product's navigation. */
export function ComponentGallery() {
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-30 border-b bg-background">
        <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-3 px-4 py-3">
          <h1 className="text-lg">Touchline components</h1>
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" className="mx-auto max-w-page px-4 py-8 pb-28 md:pb-12">
        <FoundationSpecimens />
        <ButtonSpecimens />
        <FormSpecimens />
        <RecordSpecimens />
        <OverlaySpecimens />
        <StateSpecimens />
      </main>
      <Toaster />
    </>
  );
}
