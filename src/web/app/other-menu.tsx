import { useLocation } from '@tanstack/react-router';
import { cn } from '#web/ui/class-names.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/ui/dropdown-menu.tsx';
import { ChevronDown } from '#web/ui/early-icons.tsx';
import { isAtPlace, type Place } from './navigation.ts';
import { PlaceIcon } from './place-icon.tsx';
import { headerLink, PlaceLink } from './place-link.tsx';

/** The header's "Other": places that are not visited every day. */
export function OtherMenu({ places }: { places: Place[] }) {
  const isWithin = useLocation({
    select: ({ pathname }) => places.some((place) => isAtPlace(place, pathname)),
  });
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={cn(headerLink, isWithin && 'text-foreground')}>
        Other <ChevronDown aria-hidden className="size-4" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        {places.map((place) => (
          <DropdownMenuItem key={place.to} asChild>
            <PlaceLink place={place}>
              <PlaceIcon place={place} />
              {place.label}
            </PlaceLink>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
