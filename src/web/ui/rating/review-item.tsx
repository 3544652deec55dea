import type { ReactNode } from 'react';
import { formatMonth } from '#domain/time.ts';
import { Stars } from './stars.tsx';

/** `month`: as in 2026-11. */
type ShownReview = {
  rating: number;
  text: string;
  author: string;
  month: string;
  isEdited: boolean;
  reply: { text: string; month: string } | null;
};

type ReviewItemProps = {
  review: ShownReview;
  coachName: string;
  /** Links or buttons below the review. */
  actions?: ReactNode;
  /** A link or button below the reply. */
  replyActions?: ReactNode;
};

/** A review in a list, with the coach's reply. Its texts are plain text. */
export function ReviewItem({ review, coachName, actions, replyActions }: ReviewItemProps) {
  const { rating, text, author, month, isEdited, reply } = review;
  return (
    <li className="py-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Stars rating={rating} />
        <span className="font-medium">{author}</span>
        <span className="text-muted-foreground">
          Verified booking · {formatMonth(month)}
          {isEdited && ' · edited'}
        </span>
      </p>
      <p className="mt-2 max-w-reading wrap-anywhere whitespace-pre-line">{text}</p>
      {actions}
      {reply && (
        <div className="mt-3 max-w-reading border-l-2 pl-4">
          <p className="text-sm">
            <span className="font-medium">Reply from {coachName}</span>{' '}
            <span className="text-muted-foreground">{formatMonth(reply.month)}</span>
          </p>
          <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line">{reply.text}</p>
          {replyActions}
        </div>
      )}
    </li>
  );
}
