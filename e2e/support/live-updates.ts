import type { BrowserContext, Page } from '@playwright/test';

/** Blocks live updates, for tests of pages that show outdated data or a failed load. */
export async function stopLiveUpdates(pages: Page | BrowserContext): Promise<void> {
  await pages.routeWebSocket(/\/realtime\//, () => {});
}

type Frame = [joinRef: string, ref: string, topic: string, event: string, payload: FramePayload];
type FramePayload = { status?: string; access_token?: string };

/** Reads a text message. The page sends its broadcasts as binary messages, for which the result is empty. */
export const readFrame = (message: string | Buffer): Frame | [] =>
  typeof message === 'string' ? JSON.parse(message) : [];
