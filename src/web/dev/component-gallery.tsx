import { Page } from '#web/app/layout/area-layout.tsx';
import { ThemeSwitch } from '#web/ui/page/theme-switch.tsx';
import { ButtonSpecimens } from './button-specimens.tsx';
import { CalendarSpecimens } from './calendar-specimens.tsx';
import { FormSpecimens } from './form-specimens.tsx';
import { FoundationSpecimens } from './foundation-specimens.tsx';
import { LessonSpecimens } from './lesson-specimens.tsx';
import { OverlaySpecimens } from './overlay-specimens.tsx';
import { PageSpecimens } from './page-specimens.tsx';
import { RatingSpecimens } from './rating-specimens.tsx';
import { RecordSpecimens } from './record-specimens.tsx';
import { StateSpecimens } from './state-specimens.tsx';

/** The page /dev/ui: the components of web/ui in their states, with the theme switch. */
export default function ComponentGallery() {
  return (
    <Page>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-3">
        <h1>Components</h1>
        <ThemeSwitch />
      </div>
      <FoundationSpecimens />
      <ButtonSpecimens />
      <FormSpecimens />
      <RecordSpecimens />
      <LessonSpecimens />
      <RatingSpecimens />
      <CalendarSpecimens />
      <OverlaySpecimens />
      <StateSpecimens />
      <PageSpecimens />
    </Page>
  );
}
