import { agesApi } from '#domain/catalogue/ages-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { AppError } from '#domain/errors.ts';
import { addDays, instantOf, type PlainDate } from '#domain/time.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { answerAgeRequest, listAgeRequests } from './ages/answer-age-request.ts';
import { askToJoin } from './ages/ask-to-join.ts';
import { createLocation } from './create-location.ts';
import { createSlots } from './create-slots.ts';
import { createTemplate } from './create-template.ts';
import { deleteLocation } from './delete-location.ts';
import { deleteTemplate } from './delete-template.ts';
import { checkPlan } from './plan-slots.ts';
import {
  getCoachSlot,
  getOpenSlot,
  listCoachSlots,
  listLocations,
  listTemplates,
  readAvailability,
} from './queries.ts';
import { updateLocation } from './update-location.ts';
import { updateTemplate } from './update-template.ts';

const longestListing = 62;

/** The endpoints of templates, locations, slots and exceptions from age ranges. */
export function catalogueRoutes({ db }: { db: Database }): Route[] {
  return [
    route(agesApi.ask, async (input, customer) => ({ status: await askToJoin(db, customer, input) })),
    route(agesApi.listRequests, async (_, { userId }) => ({ requests: await listAgeRequests(db, userId) })),
    route(agesApi.answer, async (input, coach) => ({ request: await answerAgeRequest(db, coach, input) })),
    route(catalogueApi.listTemplates, async (_, { userId }) => ({
      templates: await listTemplates(db, userId),
    })),
    route(catalogueApi.createTemplate, async (input, actor) => ({
      template: await createTemplate(db, actor, input),
    })),
    route(catalogueApi.updateTemplate, async (input, actor) => ({
      template: await updateTemplate(db, actor, input),
    })),
    route(catalogueApi.deleteTemplate, async ({ templateId }, actor) => {
      await deleteTemplate(db, actor, templateId);
      return {};
    }),
    route(catalogueApi.listLocations, async (_, { userId }) => ({
      locations: await listLocations(db, userId),
    })),
    route(catalogueApi.createLocation, async (input, actor) => ({
      location: await createLocation(db, actor, input),
    })),
    route(catalogueApi.updateLocation, async (input, actor) => ({
      location: await updateLocation(db, actor, input),
    })),
    route(catalogueApi.deleteLocation, async ({ locationId }, actor) => {
      await deleteLocation(db, actor, locationId);
      return {};
    }),
    route(slotsApi.previewSlots, async (plan, { userId }) => {
      const { slots } = await checkPlan(db, userId, plan, Date.now());
      return { planned: slots.map(({ clash, ...slot }) => ({ ...slot, clashesWith: clash?.title ?? null })) };
    }),
    route(slotsApi.createSlots, async (plan, actor) => ({ slots: await createSlots(db, actor, plan) })),
    route(slotsApi.listCoachSlots, async ({ from, to }, { userId }) => ({
      slots: await listCoachSlots(db, userId, readDays(from, to)),
    })),
    route(slotsApi.getCoachSlot, async ({ slotId }, { userId }) => ({
      slot: await getCoachSlot(db, userId, slotId),
    })),
    route(slotsApi.readAvailability, async ({ slotIds }) => ({
      slots: await readAvailability(db, [...new Set(slotIds.split(','))]),
    })),
    route(slotsApi.getOpenSlot, async ({ slotId }) => ({ slot: await getOpenSlot(db, slotId) })),
  ];
}

/** Converts a range of London dates, both inclusive, to instants: `from` inclusive, `until` exclusive. */
function readDays(from: PlainDate, to: PlainDate): { from: string; until: string } {
  const refuse = (message: string) => new AppError('unprocessable', message, { fields: { to: message } });
  if (to < from) throw refuse("The last day can't be before the first day.");
  if (to > addDays(from, longestListing - 1))
    throw refuse(`You can request at most ${longestListing} days at a time.`);
  const startOf = (date: PlainDate) => instantOf({ date, hour: 0, minute: 0 }).instant;
  return { from: startOf(from), until: startOf(addDays(to, 1)) };
}
