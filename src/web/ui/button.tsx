import { Children, type ComponentProps, cloneElement, type MouseEvent, type ReactElement } from 'react';
import { cn } from './class-names.ts';
import { LoaderCircle } from './page/early-icons.tsx';

const look = [
  'base:inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none',
  'transition-colors disabled:opacity-50 aria-disabled:not-aria-busy:opacity-50',
  '[&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-4',
];

const variants = {
  primary: 'bg-primary text-primary-foreground enabled:hover:bg-primary-hover [a&]:hover:bg-primary-hover',
  secondary:
    'border border-input/60 bg-card base:text-foreground enabled:hover:bg-accent [a&]:hover:bg-accent',
  ghost: 'base:text-foreground enabled:hover:bg-accent [a&]:hover:bg-accent',
  destructive:
    'bg-destructive text-destructive-foreground enabled:hover:bg-destructive-hover [a&]:hover:bg-destructive-hover',
  // A link button is exactly as high as its line of text, with a larger touch target.
  link: 'relative h-auto! px-0! touch:before:absolute touch:before:inset-x-0 touch:before:-inset-y-3 text-primary underline decoration-1 underline-offset-4 hover:decoration-2',
};

const sizes = {
  sm: 'h-8 px-3 text-sm touch:h-11',
  md: 'h-10 base:px-4 text-sm touch:h-11 base:touch:text-base',
  lg: 'h-11 px-6 text-base touch:h-12',
  icon: 'size-10 touch:size-11',
};

export type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** Renders the single child (a link) in the button's style instead of a `<button>`. */
  asChild?: boolean;
  isLoading?: boolean;
  /** The text beside the spinner while loading; by default, the children. */
  loadingText?: string;
};

/**
 * The product's button. While `isLoading` it keeps the focus and ignores presses, which prevents a second submit of its
 * form; a disabled button would move the focus to the top of the page.
 */
export function Button({
  variant = 'primary',
  size = 'md',
  asChild = false,
  isLoading = false,
  loadingText,
  className,
  type = 'button',
  onClick,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(look, variants[variant], sizes[size], className);
  if (asChild) {
    const child = Children.only(children) as ReactElement<{ className?: string }>;
    return cloneElement(child, { ...props, ...child.props, className: cn(classes, child.props.className) });
  }
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (isLoading) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type={type}
      className={classes}
      onClick={press}
      aria-busy={isLoading || undefined}
      aria-disabled={isLoading || undefined}
      {...props}
    >
      {isLoading && <LoaderCircle aria-hidden className="animate-spin" />}
      {isLoading && loadingText ? loadingText : children}
    </button>
  );
}
