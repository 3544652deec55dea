import { refundArrival } from '../card-labels.ts';
import type { SiteTextSlug } from '../pages.ts';
import { dataRecipients } from './data-recipients.ts';

/** Replaces `{brand}` with the product's name and `{contact}` with the operator's address or, if none, a phrase. */
export function fillSiteText(
  text: string,
  { brand, contactEmail }: { brand: string; contactEmail: string | null },
): string {
  return text
    .replaceAll('{brand}', brand)
    .replaceAll('{contact}', contactEmail ?? 'the address that our emails come from');
}

/** A piece of a text: a heading ("## …"), a list (lines of "- …") or a paragraph. */
export type SiteTextBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] };

/** Splits a text at its blank lines and after each heading. */
export function readSiteText(text: string): SiteTextBlock[] {
  return text
    .replace(/^## .*$/gm, '$&\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('## ')) return { kind: 'heading', text: part.slice(3) };
      const lines = part.split('\n');
      return lines.every((line) => line.startsWith('- '))
        ? { kind: 'list', items: lines.map((line) => line.slice(2)) }
        : { kind: 'paragraph', text: part.replaceAll('\n', ' ') };
    });
}

/**
 * The default texts. They describe the product under UK consumer law: the Consumer Contracts Regulations 2013 (SI
 * 2013/3134), whose 14-day right to cancel does not apply to leisure services on a fixed date (regulation 28(1)(h)),
 * and the UK GDPR. The operator's adviser must check them.
 */
export const defaultSiteTexts: Record<SiteTextSlug, string> = {
  terms: `These terms apply when you use {brand} to book or give lessons.

## Bookings
A booking is made once you have pressed “Confirm Booking” and we have shown you “You're booked”. The price you see is the whole price. We charge your saved card at that moment and email you a receipt.

The lesson itself is given by the coach named in the booking.

## Cancelling
Before you pay, we show you when you can cancel the lesson and how much you would get back. Those terms apply to your booking even if we change the terms for later bookings.

A lesson is a leisure service on a fixed date, so the right to change your mind within 14 days does not apply to it.

If the coach cancels a lesson, you get back everything you paid for it. If the coach moves it, or changes its location or content, you can cancel it for a full refund until it starts.

Refunds go back to the card you paid with. The money arrives in ${refundArrival}.

## For coaches
You receive the price of each lesson less the platform fee that was in force when it was booked. Lessons are paid out after they have ended, to the bank account you have given us.

## If something goes wrong
Write to {contact}. Nothing in these terms takes away the rights that the law gives you as a consumer.`,
  privacy: `This page explains which personal data {brand} keeps and why.

## What we keep
- Your name and email address, to run your account.
- Who you book for, with their name and date of birth. What you tell us about health, needs, emergency contacts and collection is encrypted; notes about health and needs are kept only with your explicit consent, which you can withdraw at any time.
- What you agreed to or refused, and who has opened care details, for six years.
- The notes that coaches write after lessons, and goals and levels, until 24 months after the last lesson. Families can ask for all of it, private notes included. A coach's concern about someone's welfare, for six years.
- The reviews that you write, until you delete them or your account. Everyone can read them with your first name and an initial. A code for your card, so that each card counts only once.
- Your bookings and payments, because our contract with you and tax law require them.
- Your card's brand, last four digits and expiry date. Our payment provider, Stripe, keeps the full card number, which never reaches us.
- The pictures and documents that you add, without the location and camera details that they may contain.
- If you coach: what you write about yourself and to the people who book, where you give lessons, and your bank details, which are encrypted. Also the checks and documents that you show us, with encrypted numbers and files. Of a criminal record check, we keep the kind, the number, the date and how we saw it, but no copy and none of its content.
- When and from where your account was used, to keep your account safe.
- If you subscribe to your lessons in a calendar app: when the app last read them.
- The notifications that we have sent you in the last 12 months, your choice of notifications, and the browsers in which you turned on push.

## Who sees your data
${dataRecipients.map(({ notice }) => notice).join(' ')} We don't sell your data to anyone.

## How long we keep your data
Bookings and payments are kept for at least six years after the end of the financial year, for our tax records. If you delete your account, we delete everything else and remove your name from those records.

## Your rights
On your account page you can download your personal data, correct it and delete your account, and do the same for the people you book for. For anything else, write to {contact}. You can also complain to the Information Commissioner's Office at ico.org.uk.

## Cookies
We set no cookies for advertising or statistics. Your browser keeps your sign-in and your choice of theme. A coach's browser also keeps the register of a lesson and the coach's notes about it, until 24 hours after the lesson or until the coach signs out. Stripe may set cookies on pages where a card is entered, to prevent fraud.`,
  help: `## How do I book a lesson?
Choose a lesson under “Find a lesson”, press “Book Lesson” and confirm. You need an account and a saved card.

## How do I cancel?
Open My Bookings and press “Cancel Booking”. Before you confirm, we show you exactly what you'll get back.

## When will my refund arrive?
Refunds arrive in ${refundArrival}. The booking's receipt shows whether your refund is on its way.

## My coach changed or cancelled the lesson
We email you straight away. If the coach cancels, we refund you in full automatically. If the coach moves the lesson, or changes its location or content, you can cancel it for a full refund until it starts.

## How do I get lessons into my calendar?
Our emails about bookings contain a calendar invitation. To see every lesson, create a calendar address on your account page and subscribe to it in your calendar app. Google may take a day to show changes.

## How do I get notifications on my phone?
Turn on push notifications on your account page, under Notifications. On an iPhone, first tap Share and “Add to Home Screen”, and open the app from there.

## My card was declined
Nothing was charged and your place was released. Check the card with your bank, or save another card under Payment.

## I can't sign in
Use “Forgot your password?” on the sign-in page. If you have lost your authenticator app, use one of your recovery codes.

## Still stuck?
Write to {contact}.`,
  contact: `Write to {contact}. If you are writing about a booking, tell us the lesson and its date. Please never send card numbers or passwords.

## Questions about a lesson
Your booking shows what to bring and where to meet. For anything else, write to {contact} and we'll ask the coach.

## Complaints
If you were unhappy with a coach or a lesson, write to {contact} within 14 days of the lesson if you can, so that we can ask everyone while they still remember.`,
};
