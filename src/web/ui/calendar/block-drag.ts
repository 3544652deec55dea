import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** A block being dragged: its key, the target column, and the target start in minutes since midnight. */
export type Drag = { key: string; column: number; start: number };

type BlockDrag = {
  /**
   * `scroller`: the scroll container around the grid; `body`: the rows, whose first `gutter` pixels contain
   * the hours.
   */
  scroller: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
  columnCount: number;
  gutter: number;
  pixelsPerMinute: number;
  snapMinutes: number;
  onDrop: (drag: Drag) => void;
  /** Called on an attempt to drag an element with `data-immovable`. */
  onRefuse: (key: string) => void;
};

type Grip = { key: string; column: number; start: number; x: number; y: number };

const threshold = 4;
const edge = 40;

/**
 * Makes the elements with `data-movable` draggable by mouse or pen: they snap to the grid, scroll the grid at its
 * edges and return on Escape. Touch scrolls instead. `data-column` and `data-row` set an element's position. An element
 * with `data-immovable` cannot be dragged; an attempt calls `onRefuse`.
 */
export function useBlockDrag({
  scroller,
  body,
  columnCount,
  gutter,
  pixelsPerMinute,
  snapMinutes,
  onDrop,
  onRefuse,
}: BlockDrag) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = useRef<(() => void) | null>(null);
  useEffect(() => () => end.current?.(), []);

  function positionAt(grip: Grip, x: number, y: number): Drag {
    const box = body.current!.getBoundingClientRect();
    const width = (box.width - gutter) / columnCount;
    const column = Math.floor((x - box.left - gutter) / width);
    const carriedFrom = grip.y - grip.start * pixelsPerMinute;
    const minute = (y - box.top - carriedFrom) / pixelsPerMinute;
    const latest = 24 * 60 - snapMinutes;
    return {
      key: grip.key,
      column: Math.max(0, Math.min(columnCount - 1, column)),
      start: Math.max(0, Math.min(latest, Math.round(minute / snapMinutes) * snapMinutes)),
    };
  }

  function refuse(key: string, event: PointerEvent) {
    function onMove({ clientX, clientY }: globalThis.PointerEvent) {
      if (Math.hypot(clientX - event.clientX, clientY - event.clientY) < threshold) return;
      finish();
      window.addEventListener('pointerup', ignoreClick, { capture: true, once: true });
      onRefuse(key);
    }
    function finish() {
      window.removeEventListener('pointermove', onMove, true);
      for (const name of ['pointerup', 'pointercancel']) window.removeEventListener(name, finish, true);
      end.current = null;
    }
    window.addEventListener('pointermove', onMove, true);
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, finish, true);
    end.current = finish;
  }

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const fixed = (event.target as HTMLElement).closest<HTMLElement>('[data-immovable]');
    if (fixed) return refuse(fixed.dataset.immovable!, event);
    const block = (event.target as HTMLElement).closest<HTMLElement>('[data-movable]');
    if (!block || !body.current) return;
    const { movable, column, row } = block.dataset;
    const grip: Grip = {
      key: movable!,
      column: Number(column),
      start: Number(row),
      x: event.clientX,
      y: event.clientY - body.current.getBoundingClientRect().top,
    };
    let pointer = { x: event.clientX, y: event.clientY };
    const origin = pointer;
    let carried: Drag | null = null;
    let frame = 0;

    function follow() {
      carried = positionAt(grip, pointer.x, pointer.y);
      setDrag((shown) =>
        shown?.column === carried!.column && shown.start === carried!.start ? shown : carried,
      );
    }
    function scrollAtEdges() {
      const view = scroller.current?.getBoundingClientRect();
      if (!view) return;
      const above = Math.max(0, view.top + 2 * edge - pointer.y);
      const below = Math.max(0, pointer.y - (view.bottom - edge));
      if (above || below) {
        scroller.current!.scrollTop += Math.min(12, below / 3) - Math.min(12, above / 3);
        follow();
      }
      frame = requestAnimationFrame(scrollAtEdges);
    }
    function onMove(move: globalThis.PointerEvent) {
      pointer = { x: move.clientX, y: move.clientY };
      if (!carried) {
        if (Math.hypot(pointer.x - origin.x, pointer.y - origin.y) < threshold) return;
        block!.dataset.carried = '';
        block!.setPointerCapture(event.pointerId);
        frame = requestAnimationFrame(scrollAtEdges);
      }
      follow();
    }
    function finish() {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener as never, true);
      cancelAnimationFrame(frame);
      delete block!.dataset.carried;
      setDrag(null);
      end.current = null;
    }
    function onUp() {
      if (carried) {
        ignoreClick();
        if (carried.column !== grip.column || carried.start !== grip.start) onDrop(carried);
      }
      finish();
    }
    function onKey(key: KeyboardEvent) {
      if (key.key !== 'Escape' || !carried) return;
      key.preventDefault();
      key.stopPropagation();
      window.addEventListener('pointerup', ignoreClick, { capture: true, once: true });
      finish();
    }
    const listeners = [
      ['pointermove', onMove],
      ['pointerup', onUp],
      ['pointercancel', finish],
      ['keydown', onKey],
    ] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener as never, true);
    end.current = finish;
  }

  return { drag, onPointerDown };
}

/** Ignores the click that follows a drag, so that dropping a block does not open it. */
function ignoreClick() {
  const swallow = (click: Event) => {
    click.preventDefault();
    click.stopPropagation();
  };
  window.addEventListener('click', swallow, true);
  setTimeout(() => window.removeEventListener('click', swallow, true));
}
