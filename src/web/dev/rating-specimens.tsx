import { useState } from 'react';
import { Section } from '#web/ui/card.tsx';
import { StarInput } from '#web/ui/form/star-input.tsx';
import { RatingLine } from '#web/ui/rating/rating-line.tsx';
import { RatingSummary } from '#web/ui/rating/rating-summary.tsx';
import { ReviewItem } from '#web/ui/rating/review-item.tsx';
import { Star, Stars } from '#web/ui/rating/stars.tsx';
import { Specimen } from './specimen.tsx';

const many = { reviews: 12, mean: 4.7, distribution: [0, 0, 1, 2, 9] };
const few = { reviews: 2, mean: null, distribution: [0, 0, 0, 1, 1] };

/** Stars, ratings and reviews. */
export function RatingSpecimens() {
  const [stars, setStars] = useState<number | null>(4);
  return (
    <Section title="Ratings">
      <Specimen name="Stars">
        <div className="flex flex-wrap items-center gap-6">
          <Stars rating={4} />
          <Star isFilled={false} />
          <StarInput label="Stars" value={stars} onValueChange={setStars} />
        </div>
      </Specimen>
      <Specimen name="Rating in a line">
        <div className="flex flex-wrap gap-6 text-sm">
          <RatingLine rating={many} />
          <RatingLine rating={few} />
        </div>
      </Specimen>
      <Specimen name="Rating above reviews">
        <div className="space-y-8">
          <RatingSummary rating={many} />
          <RatingSummary rating={few} />
        </div>
      </Specimen>
      <Specimen name="Review with a reply">
        <ul>
          <ReviewItem
            coachName="Alex Morgan"
            review={{
              rating: 4,
              text: 'Patient, clear and always on time.',
              author: 'Parent of a junior',
              month: '2026-11',
              isEdited: true,
              reply: { text: 'Thank you. See you next week.', month: '2026-11' },
            }}
          />
        </ul>
      </Specimen>
    </Section>
  );
}
