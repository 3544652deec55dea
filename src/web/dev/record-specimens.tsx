import { formatPounds } from '#domain/money.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { BarChart } from '#web/ui/charts/bar-chart.tsx';
import { DayBars } from '#web/ui/charts/day-bars.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Money } from '#web/ui/money.tsx';
import { RecordCell } from '#web/ui/record-cell.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { Specimen } from './specimen.tsx';

const months = [0, 12_000, 48_000, 36_500, 0, 61_200].map((value, index) => ({
  key: String(index),
  label: ['Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov'][index]!,
  tiny: 'JJASON'[index]!,
  name: `£${value / 100}`,
  value,
}));

const days = [0, 2, 1, 4, 9, 6, 3, 0, 5, 7].map((value, index) => ({
  date: `2026-11-${String(index + 1).padStart(2, '0')}`,
  value,
  title: `${index + 1} November: ${value}`,
}));

const bookings = [
  {
    id: 'a',
    lesson: "Beginners' tennis",
    when: 'Sat 21 Nov, 09:00–10:00',
    tone: 'primary',
    state: 'Booked',
    cents: 4500,
  },
  {
    id: 'b',
    lesson: 'Freestyle technique',
    when: 'Fri 20 Nov, 18:30–19:15',
    tone: 'success',
    state: 'Completed',
    cents: 5000,
  },
  {
    id: 'c',
    lesson: 'Goalkeeping',
    when: 'Thu 19 Nov, 17:00–18:00',
    tone: 'destructive',
    state: 'Cancelled',
    cents: 123450,
  },
] as const;

function BookingTable({ isStacked, label }: { isStacked: boolean; label: string }) {
  return (
    <Table label={label} isStacked={isStacked}>
      <thead>
        <tr>
          <Th className="w-8">
            <VisuallyHidden>Select</VisuallyHidden>
          </Th>
          <Th>Lesson</Th>
          <Th>When</Th>
          <Th>State</Th>
          <Th isNumeric>Amount</Th>
        </tr>
      </thead>
      <tbody>
        {bookings.map((booking) => (
          <tr key={booking.id}>
            <Td label="Select">
              <Checkbox aria-label={`Select ${booking.lesson}`} />
            </Td>
            <RecordCell label="Lesson" name={booking.lesson} to="/dev/ui">
              Amara Okafor
            </RecordCell>
            <Td label="When" className="whitespace-nowrap">
              {booking.when}
            </Td>
            <Td label="State">
              <StatusDot tone={booking.tone} label={booking.state} />
            </Td>
            <Td label="Amount" isNumeric>
              <Money cents={booking.cents} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Cards, tabs, charts and tables. */
export function RecordSpecimens() {
  return (
    <Section
      title="Records"
      actions={
        <Button variant="secondary" size="sm">
          Action
        </Button>
      }
    >
      <Specimen name="Card">
        <div className="grid gap-4 md:grid-cols-2">
          <Card className="flex items-start gap-4">
            <div className="min-w-0 grow">
              <p className="text-sm text-muted-foreground tabular-nums">09:00–10:00</p>
              <h4 className="mt-2 flex items-center gap-2">
                <SportDot sport="tennis" />
                Beginners' tennis
              </h4>
              <p className="mt-3 flex items-center gap-2 text-sm">
                <Avatar name="Amara Okafor" size="sm" />
                Amara Okafor, Leeds
              </p>
            </div>
            <div className="flex flex-col items-end gap-3">
              <Money cents={4500} className="font-semibold" />
              <Badge tone="warning">1 of 8 left</Badge>
              <Button size="sm">Book</Button>
            </div>
          </Card>
          <Card>
            <p className="text-sm text-muted-foreground">To come</p>
            <Money cents={184250} className="mt-1 block text-3xl font-semibold tracking-tight" />
          </Card>
        </div>
      </Specimen>
      <Specimen name="Tabs">
        <Tabs defaultValue="upcoming">
          <TabsList aria-label="Bookings">
            <TabsTrigger value="upcoming" count={3}>
              Upcoming
            </TabsTrigger>
            <TabsTrigger value="past" count={0}>
              Past
            </TabsTrigger>
            <TabsTrigger value="cancelled" disabled>
              Cancelled
            </TabsTrigger>
          </TabsList>
          <TabsContent value="upcoming">Three upcoming lessons.</TabsContent>
          <TabsContent value="past">No past lessons yet.</TabsContent>
        </Tabs>
      </Specimen>
      <Specimen name="Figures by day">
        <DayBars label="Bookings by day: highest on 5 November, at 9" days={days} className="max-w-80" />
      </Specimen>
      <Specimen name="Figures by month, with a scale">
        <BarChart
          label="Earnings by month: highest in November, at £612"
          bars={months}
          smallestTop={1000}
          formatTick={formatPounds}
        />
      </Specimen>
      <Specimen name="Table, stacked on a phone">
        <BookingTable isStacked label="Bookings, stacked" />
      </Specimen>
      <Specimen name="Table, scrolling on a phone">
        <BookingTable isStacked={false} label="Bookings, scrolling" />
      </Specimen>
    </Section>
  );
}
