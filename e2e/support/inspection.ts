import type { Page } from '@playwright/test';
import { twMerge } from 'tailwind-merge';
import { expect, expectNoViolationsInBothThemes } from './fixtures.ts';

// Viewports in px: the smallest phone, two widths at which the layout changes, a common desktop and a wide one.
const phone = { width: 360, height: 740 };
const tablets = [
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
];
const desktop = { width: 1280, height: 800 };
const wide = { width: 1920, height: 1080 };

/** Finds content wider than the window or its dialog and, on a phone, controls too small to tap. */
async function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const panels = [...document.querySelectorAll<HTMLElement>('[role=dialog] *, [role=alertdialog] *')];
    const isCut = ({ scrollWidth: inside, clientWidth: seen }: Element) => seen > 0 && inside > seen + 1;
    const cut = panels.filter((part) => getComputedStyle(part).overflowY === 'auto' && isCut(part));
    const isPhone = window.innerWidth < 768;
    const controls = document.querySelectorAll<HTMLElement>(
      'main button, main input, main select, [role=dialog] button, [role=alertdialog] button',
    );
    // Checkboxes and switches are pressed through their labels.
    const isSmall = (control: HTMLElement) => {
      if (!control.checkVisibility() || control.closest('label, [role=grid]')) return false;
      // A target may be larger than its visible box.
      const { content, top, bottom } = getComputedStyle(control, '::before');
      const reach = content === 'none' ? 0 : Math.max(0, -parseFloat(top)) + Math.max(0, -parseFloat(bottom));
      return control.getBoundingClientRect().height + reach < 36;
    };
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide in ${clientWidth} px`] : []),
      ...cut.map((part) => `scrolls sideways: ${part.outerHTML.slice(0, 120)}`),
      ...(isPhone ? [...controls].filter(isSmall).map((c) => `too low: ${c.outerHTML.slice(0, 160)}`) : []),
    ];
  });
}

/**
 * Finds missing landmarks and titles, and elements that the Tab key cannot reach: controls outside groups with
 * arrow-key navigation, and such groups as a whole.
 */
async function findUnreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const isVisible = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const isShown = (selector: string) => [...document.querySelectorAll(selector)].some(isVisible);
    const isVisitor = isShown('header a[href^="/login"]');
    const landmarks = [
      ...(count('main') === 1 ? [] : [`${count('main')} main landmarks`]),
      ...(count('body header') > 0 ? [] : ['no banner']),
      ...(isShown('nav') ? [] : ['no navigation']),
      ...(!isVisitor || isShown('body footer') ? [] : ["no footer on a visitor's page"]),
      ...(location.pathname === '/' || document.title.includes(' · ') ? [] : ['no title of its own']),
    ];
    const roving = '[role=grid], [role=tablist], [role=radiogroup], [role=menu], [role=listbox]';
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=menuitem], [onclick]',
    );
    const left = [...controls].filter(
      (control) =>
        isVisible(control) &&
        control.tabIndex < 0 &&
        !control.matches(':disabled, [aria-disabled=true]') &&
        !control.closest(`[inert], [aria-hidden=true], ${roving}`),
    );
    const closed = [
      ...document.querySelectorAll<HTMLElement>('[role=grid], [role=tablist], [role=radiogroup]'),
    ].filter((group) => {
      const inside = [...controls].filter((control) => group.contains(control) && isVisible(control));
      const usable = inside.filter((control) => !control.matches(':disabled, [aria-disabled=true]'));
      // A group that is itself a Tab stop passes the focus on to one of its controls.
      return usable.length > 0 && ![group, ...usable].some(({ tabIndex }) => tabIndex >= 0);
    });
    return [
      ...landmarks,
      ...[...left, ...closed].map((element) => `no Tab stop: ${element.outerHTML.slice(0, 160)}`),
    ];
  });
}

/** Finds amounts on the page that are not in pounds with two decimal places, such as "£5", "$5.00" or a bare "5.00". */
async function findOddAmounts(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText();
  const amounts = text.match(/[£$€]\s?[\d,]+(?:\.\d+)?|(?<![\d.,£$€])[\d,]*\d\.\d\d(?![\d.%])/g) ?? [];
  return amounts.filter((amount) => !/^£[\d,]+\.\d\d$/.test(amount));
}

/** Finds elements with two classes for the same property, whose effect depends on the style sheet's order. */
async function findClashes(page: Page): Promise<string[]> {
  const lists = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll('[class]')].map((e) => e.getAttribute('class') ?? '')),
  ]);
  return lists
    .map((list) => list.trim().split(/\s+/).join(' '))
    .filter((list) => twMerge(list) !== list)
    .map((list) => `${list} → ${twMerge(list)}`);
}

/**
 * Checks the current page against the rules for every screen: axe in light mode, contrast in dark mode, keyboard
 * access, widths from 360 to 1920 px, amounts of money, and clashing classes. `only` limits the check to phones or
 * desktops, for content that exists only there.
 */
export async function inspect(page: Page, name: string, only?: 'phone' | 'desktop'): Promise<void> {
  const home = only === 'phone' ? phone : desktop;
  await page.setViewportSize(home);
  await expectNoViolationsInBothThemes(page);
  const found = [
    ...(await findOddAmounts(page)),
    ...(await findClashes(page)),
    ...(await findUnreachable(page)),
  ];
  expect(found, `${name}, ${page.url()}`).toEqual([]);
  await expectToFit(page, name, only);
  await page.setViewportSize(home);
}

/** Checks the current page's layout at widths from 360 to 1920 px, as part of `inspect`. */
export async function expectToFit(page: Page, name: string, only?: 'phone' | 'desktop'): Promise<void> {
  const sizes = { phone: [phone], desktop: [wide], any: [phone, ...tablets, wide] }[only ?? 'any'];
  for (const size of sizes) {
    await page.setViewportSize(size);
    // The new width takes effect a frame later.
    await expect.poll(() => findMisfits(page), `${name} at ${size.width} px, ${page.url()}`).toEqual([]);
  }
}
