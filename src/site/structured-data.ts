import type { PublicCoach } from '#domain/businesses/contract.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { coachPath } from '#domain/pages.ts';
import type { CoachRating } from '#domain/reviews/review.ts';
import { sports } from '#domain/sports.ts';

/** The product as a schema.org WebSite. */
export function describeSite({ brand, publicUrl }: { brand: string; publicUrl: string }): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: brand,
    url: `${publicUrl}/`,
    inLanguage: 'en-GB',
    publisher: {
      '@type': 'Organization',
      name: brand,
      url: `${publicUrl}/`,
      logo: `${publicUrl}/icons/icon-512.png`,
    },
  };
}

/**
 * A coach as schema.org's ProfilePage, and each of `lessons` as an Event with an Offer. If there are enough reviews for
 * a mean, the coach is also a LocalBusiness with the figures that the page shows, because search engines accept no
 * rating of a Person. `rating` is null if only one business is listed, because nothing could then be compared
 * (docs/decisions/0103).
 */
export function describeCoach(
  coach: PublicCoach,
  lessons: readonly OpenSlot[],
  { publicUrl, rating }: { publicUrl: string; rating: CoachRating | null },
): object {
  const url = publicUrl + coachPath(coach);
  const person = {
    '@type': 'Person',
    '@id': `${url}#coach`,
    name: coach.fullName,
    url,
    jobTitle: coach.coachType ?? undefined,
    description: coach.bio ?? undefined,
    knowsAbout: coach.sports.map((sport) => sports[sport]),
    knowsLanguage: coach.languages,
    workLocation: coach.towns.map((town) => ({ '@type': 'City', name: town })),
    worksFor: coach.businessName ? { '@type': 'Organization', name: coach.businessName } : undefined,
  };
  const profile = { '@type': 'ProfilePage', '@id': url, url, inLanguage: 'en-GB', mainEntity: person };
  const events = lessons.map((lesson) => describeLesson(lesson, { url, publicUrl }));
  const business = rating?.mean ? [describeRating(coach, { ...rating, mean: rating.mean }, url)] : [];
  return { '@context': 'https://schema.org', '@graph': [profile, ...business, ...events] };
}

function describeRating(
  { fullName, businessName }: PublicCoach,
  { mean, reviews }: { mean: number; reviews: number },
  url: string,
): object {
  return {
    '@type': 'LocalBusiness',
    '@id': `${url}#business`,
    name: fullName,
    url,
    parentOrganization: businessName ? { '@type': 'Organization', name: businessName } : undefined,
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: mean.toFixed(1),
      reviewCount: reviews,
      bestRating: 5,
      worstRating: 1,
    },
  };
}

function describeLesson(lesson: OpenSlot, { url, publicUrl }: { url: string; publicUrl: string }): object {
  const left = lesson.maxCapacity - lesson.bookedCount;
  return {
    '@type': 'Event',
    name: lesson.title,
    description: lesson.description || undefined,
    startDate: lesson.startTime,
    endDate: lesson.endTime,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    maximumAttendeeCapacity: lesson.maxCapacity,
    remainingAttendeeCapacity: left,
    location: lesson.location ? formatLocation(lesson.location) : undefined,
    organizer: { '@id': `${url}#coach` },
    performer: { '@id': `${url}#coach` },
    offers: {
      '@type': 'Offer',
      price: (lesson.priceCents / 100).toFixed(2),
      priceCurrency: 'GBP',
      availability: left > 0 ? 'https://schema.org/InStock' : 'https://schema.org/SoldOut',
      url: `${publicUrl}/customer/discover?coachId=${lesson.coachId}&lesson=${lesson.slotId}`,
    },
  };
}

function formatLocation({ name, address, city, postcode }: Location): object {
  return {
    '@type': 'Place',
    name,
    address: {
      '@type': 'PostalAddress',
      streetAddress: address || undefined,
      addressLocality: city,
      postalCode: postcode || undefined,
      addressCountry: 'GB',
    },
  };
}
