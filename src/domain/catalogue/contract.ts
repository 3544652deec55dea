import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { location, locationInput } from './location.ts';
import { lessonTemplate, templateInput } from './template.ts';

export type Location = z.output<typeof location>;

const templateId = z.uuid().describe('The template.');
const locationId = z.uuid().describe('The location.');

/** Endpoints for a coach's templates and locations. Slots are in slots-contract.ts. */
export const catalogueApi = {
  listTemplates: endpoint({
    method: 'GET',
    path: '/api/coach/templates',
    operationId: 'list_templates',
    gate: 'coach',
    summary: 'List my templates',
    description: "The coach's lesson templates, newest first.",
    input: z.object({}),
    output: z.object({ templates: z.array(lessonTemplate) }),
  }),
  createTemplate: endpoint({
    method: 'POST',
    path: '/api/coach/templates',
    operationId: 'create_template',
    gate: 'coach',
    summary: 'Create a template',
    description: 'Creates a lesson template.',
    input: templateInput,
    output: z.object({ template: lessonTemplate }),
  }),
  updateTemplate: endpoint({
    method: 'PUT',
    path: '/api/coach/templates/:templateId',
    operationId: 'update_template',
    gate: 'coach',
    summary: 'Change a template',
    description:
      'Changes a lesson template. Published slots keep their price, length, capacity and age range; customers who booked a slot are emailed about a new title, description or sport.',
    input: templateInput.and(z.object({ templateId })),
    output: z.object({ template: lessonTemplate }),
  }),
  deleteTemplate: endpoint({
    method: 'DELETE',
    path: '/api/coach/templates/:templateId',
    operationId: 'delete_template',
    gate: 'coach',
    summary: 'Delete a template',
    description: 'Deletes a lesson template; its slots and their bookings are kept.',
    input: z.object({ templateId }),
    output: z.object({}),
  }),
  listLocations: endpoint({
    method: 'GET',
    path: '/api/coach/locations',
    operationId: 'list_locations',
    gate: 'coach',
    summary: 'List my locations',
    description: "The coach's locations in order of name.",
    input: z.object({}),
    output: z.object({ locations: z.array(location) }),
  }),
  createLocation: endpoint({
    method: 'POST',
    path: '/api/coach/locations',
    operationId: 'create_location',
    gate: 'coach',
    summary: 'Add a location',
    description: 'Adds a location.',
    input: locationInput,
    output: z.object({ location }),
  }),
  updateLocation: endpoint({
    method: 'PUT',
    path: '/api/coach/locations/:locationId',
    operationId: 'update_location',
    gate: 'coach',
    summary: 'Change a location',
    description:
      "Changes a location everywhere it is used. Customers who booked an upcoming lesson there are emailed about a new address. Refused for a nation that the coach's checks don't cover while a participant under 18 has a seat in a lesson there.",
    refusals: ['conflict'],
    input: locationInput.and(z.object({ locationId })),
    output: z.object({ location }),
  }),
  deleteLocation: endpoint({
    method: 'DELETE',
    path: '/api/coach/locations/:locationId',
    operationId: 'delete_location',
    gate: 'coach',
    summary: 'Delete a location',
    description: 'Removes a location from the list; existing lessons keep the location.',
    input: z.object({ locationId }),
    output: z.object({}),
  }),
};
