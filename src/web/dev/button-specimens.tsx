import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Money } from '#web/ui/money.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { Specimen } from './specimen.tsx';

const variants = ['primary', 'secondary', 'ghost', 'destructive', 'link'] as const;
const tones = ['neutral', 'primary', 'success', 'warning', 'destructive', 'outline'] as const;
const row = 'flex flex-wrap items-center gap-3';

/** Buttons and small indicators. */
export function ButtonSpecimens() {
  const [filters, setFilters] = useState(['Tennis', 'Leeds', 'Under £40']);
  return (
    <Section title="Buttons and indicators">
      <Specimen name="Button variants">
        <div className={row}>
          {variants.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant === 'destructive' ? 'Cancel Booking' : 'Book lesson'}
            </Button>
          ))}
        </div>
      </Specimen>
      <Specimen name="Disabled">
        <div className={row}>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} disabled>
              Book lesson
            </Button>
          ))}
        </div>
      </Specimen>
      <Specimen name="Loading">
        <div className={row}>
          <Button isLoading loadingText="Booking...">
            Book lesson
          </Button>
          <Button variant="secondary" isLoading loadingText="Saving...">
            Save
          </Button>
          <Button variant="destructive" isLoading loadingText="Cancelling...">
            Cancel Booking
          </Button>
        </div>
      </Specimen>
      <Specimen name="Sizes, icon, link styled as a button">
        <div className={row}>
          <Button size="sm">Small</Button>
          <Button size="md">Medium</Button>
          <Button size="lg">Large</Button>
          <Button size="icon" variant="secondary" aria-label="Add a slot">
            <Plus aria-hidden />
          </Button>
          <Button>
            <Plus aria-hidden />
            Create Slots
          </Button>
          <Button asChild variant="secondary">
            <a href="#main">Find lessons</a>
          </Button>
        </div>
      </Specimen>
      <Specimen name="Badge">
        <div className={row}>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Specimen>
      <Specimen name="Status dot">
        <div className={row}>
          <StatusDot label="Draft" />
          <StatusDot tone="primary" label="Booked" />
          <StatusDot tone="success" label="Completed" />
          <StatusDot tone="warning" label="Unpaid" />
          <StatusDot tone="destructive" label="Cancelled" />
        </div>
      </Specimen>
      <Specimen name="Chip">
        <div className={`${row} min-h-9`}>
          {filters.map((filter) => (
            <Chip
              key={filter}
              removeLabel={`Remove filter ${filter}`}
              onRemove={() => setFilters(filters.filter((kept) => kept !== filter))}
            >
              {filter}
            </Chip>
          ))}
        </div>
      </Specimen>
      <Specimen name="Avatar, money, spinner">
        <div className={row}>
          <Avatar name="Amara Okafor" size="sm" />
          <Avatar name="Łukasz Wójcik" />
          <Avatar name="Priya" size="lg" />
          <Avatar name="Broken Picture" src="/no-such-picture.png?v=0" />
          <Money cents={5000} className="text-xl font-semibold" />
          <Money cents={123456789} />
          <Money cents={-250} />
          <Spinner />
        </div>
      </Specimen>
    </Section>
  );
}
