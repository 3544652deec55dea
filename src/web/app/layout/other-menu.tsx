import { useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import { cn } from '#web/ui/class-names.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';
import { ChevronDown } from '#web/ui/page/early-icons.tsx';
import { isAtPlace, type Place } from './navigation.ts';
import { PlaceIcon } from './place-icon.tsx';
import { headerLink, PlaceLink } from './place-link.tsx';

/** The header's "Other": places that are not visited every day. */
export function OtherMenu({ places }: { places: Place[] }) {
  const here = useLocation({ select: ({ pathname }) => pathname });
  const isWithin = places.some((place) => isAtPlace(place, here));
  /** On the way to another page, whose heading gets the focus, however late the menu is gone. */
  const isLeaving = useRef(false);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={cn(headerLink, isWithin && 'text-foreground')}>
        Other <ChevronDown aria-hidden className="size-4" />
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="start"
        onCloseAutoFocus={(event) => {
          if (isLeaving.current) event.preventDefault();
          isLeaving.current = false;
        }}
      >
        {places.map((place) => (
          <DropdownMenuItem
            key={place.to}
            asChild
            onSelect={() => {
              isLeaving.current = place.to !== here;
            }}
          >
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
