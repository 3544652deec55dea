import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../fields.ts';
import { feedScopes } from './calendar-rules.ts';

const scope = z
  .enum(feedScopes)
  .describe(
    '`customer` for the lessons that the caller has booked, `coach` for the lessons that the caller coaches.',
  );

const calendarFeed = z
  .object({
    scope,
    createdAt: instant,
    readAt: instant
      .nullable()
      .describe('When a calendar program last read the feed, to within ten minutes; null if none has.'),
  })
  .meta({ id: 'CalendarFeed', description: 'A private address at which a calendar program reads lessons.' });
export type CalendarFeed = z.output<typeof calendarFeed>;

const calendarFile = z
  .object({
    fileName: z.string().meta({ examples: ['lesson.ics'] }),
    ics: z.string().meta({
      description: 'The file as defined by RFC 5545.',
      examples: ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\n'],
    }),
  })
  .meta({ id: 'CalendarFile', description: 'A lesson as a file for a calendar program.' });

/** Endpoints for calendar programs: a lesson as a file, and the addresses of feeds. */
export const calendarApi = {
  getBookingFile: endpoint({
    method: 'GET',
    path: '/api/bookings/:bookingId/calendar-file',
    operationId: 'get_booking_calendar_file',
    gate: 'signedIn',
    summary: 'Get a booked lesson as a calendar file',
    description:
      "A lesson that the caller has booked, or another guardian for the caller's dependant, as a file that the device's calendar opens.",
    input: z.object({ bookingId: z.uuid().describe('The booking.') }),
    output: calendarFile,
  }),
  getSlotFile: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId/calendar-file',
    operationId: 'get_slot_calendar_file',
    gate: 'coach',
    summary: 'Get one of my lessons as a calendar file',
    description: "One of the coach's own lessons, as a file that the device's calendar opens.",
    input: z.object({ slotId: z.uuid().describe('The lesson.') }),
    output: calendarFile,
  }),
  listFeeds: endpoint({
    method: 'GET',
    path: '/api/calendar-feeds',
    operationId: 'list_calendar_feeds',
    gate: 'signedIn',
    summary: 'List my calendar feeds',
    description:
      "The caller's feeds that are switched on, at most one for each scope. An address is shown only once, when it is created.",
    input: z.object({}),
    output: z.object({ feeds: z.array(calendarFeed) }),
  }),
  createFeed: endpoint({
    method: 'POST',
    path: '/api/calendar-feeds',
    operationId: 'create_calendar_feed',
    gate: 'signedIn',
    summary: 'Create or replace a calendar feed',
    description:
      'Creates the address of a feed. An earlier address of the same scope stops working immediately. Only coaches can have the scope `coach`.',
    refusals: ['forbidden', 'too_many_requests'],
    input: z.object({ scope }),
    output: z.object({
      feed: calendarFeed,
      address: z
        .string()
        .describe('Anyone who knows the address can read the feed. No other call returns the address.')
        .meta({ examples: ['https://club.example/calendar/….ics'] }),
    }),
  }),
  revokeFeed: endpoint({
    method: 'DELETE',
    path: '/api/calendar-feeds/:scope',
    operationId: 'revoke_calendar_feed',
    gate: 'signedIn',
    summary: 'Switch a calendar feed off',
    description: 'The address of this scope stops working immediately. Does nothing if there is none.',
    refusals: ['too_many_requests'],
    input: z.object({ scope }),
    output: z.object({}),
  }),
};
