import { useState } from 'react';
import { cn } from './class-names.ts';

/** The initials of the first and last word of a name, in capitals: "Ana María de Souza" → "AS". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase('en-GB') ?? '').join('');
}

/** The stored size in pixels that is sharp at every size below, even with two screen pixels per CSS pixel. */
const avatarSize = 128;
const sizes = { sm: 'size-8 text-xs', md: 'size-10 text-sm', lg: 'size-16 text-lg' };

/** `src`: the picture's URL as the API returns it; the size is added to its query. */
type AvatarProps = { name: string; src?: string | null; size?: keyof typeof sizes; className?: string };

/**
 * A person's picture, or their initials if there is no picture or the picture can't be loaded. Decorative, because the
 * name is beside the picture.
 */
export function Avatar({ name, src, size = 'md', className }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  return (
    <span
      aria-hidden
      className={cn(
        'relative inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-accent font-medium text-foreground select-none',
        sizes[size],
        className,
      )}
    >
      {initialsOf(name)}
      {src && src !== failedSrc && (
        <img
          src={`${src}&size=${avatarSize}`}
          alt=""
          width={avatarSize}
          height={avatarSize}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
          onError={() => setFailedSrc(src)}
        />
      )}
    </span>
  );
}
