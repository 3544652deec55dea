import { useProduct } from '#web/app/api/product.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { BrandMark, brandLinkClasses } from '#web/ui/page/brand-mark.tsx';
import { FooterBar, HeaderBar, VisitorLinks } from '#web/ui/page/page-links.tsx';
import { RecordFacts, RecordHeading, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { SkipLink } from '#web/ui/page/skip-link.tsx';
import { StickyBar } from '#web/ui/page/sticky-bar.tsx';
import { ThemeMenu } from '#web/ui/page/theme-menu.tsx';
import { ThemeSwitch } from '#web/ui/page/theme-switch.tsx';
import { Specimen } from './specimen.tsx';

/** The parts of a page: header, footer, the top of a record's page, and a bar for the selection. */
export function PageSpecimens() {
  const { brand } = useProduct();
  return (
    <Section title="Page">
      <Specimen name="Visitor's header, with the skip link before it">
        <div className="relative isolate h-20 max-w-full">
          <SkipLink />
          <HeaderBar>
            <a href="/" className={brandLinkClasses}>
              <BrandMark />
              {brand}
            </a>
            <div className="ml-auto flex min-w-0 items-center gap-1.5">
              <ThemeMenu className="hidden sm:block" />
              <VisitorLinks link={(to, label) => <a href={to}>{label}</a>} />
            </div>
          </HeaderBar>
        </div>
      </Specimen>
      <Specimen name="Footer">
        <FooterBar brand={brand} year={2027} theme={<ThemeSwitch className="sm:hidden" />} />
      </Specimen>
      <Specimen name="Record, with the link back to its list">
        <BackLink to="/dev/ui">Payouts</BackLink>
        <RecordHeading title="Payrun 7K2M-4TQX" status="Paid">
          <Button variant="secondary">Download file</Button>
        </RecordHeading>
        <RecordFacts
          amounts={[['Total', <Money key="total" cents={123450} />]]}
          facts={[
            ['Created', 'Fri 20 Nov, 18:30 by Alex Admin'],
            ['Paid', 'Sat 21 Nov, 09:00'],
          ]}
        />
      </Specimen>
      <Specimen name="Record while it loads">
        <RecordSkeleton label="Loading the payrun..." />
      </Specimen>
      <Specimen name="Selection bar">
        <StickyBar>
          <p className="font-medium tabular-nums">3 bookings · £135.00</p>
          <Button>Create payrun</Button>
        </StickyBar>
      </Specimen>
    </Section>
  );
}
