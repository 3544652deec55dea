import { type PointerEvent, useRef, useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { type Crop, cropPicture, paintCrop, wholeCrop } from './picture-canvas.ts';

const maxZoom = 4;
/** The sides of the two canvases in pixels, twice their size on the screen. */
const stagePixels = 576;
const previewPixels = 192;

type CropDialogProps = {
  picture: ImageBitmap;
  isPending: boolean;
  refusal: AppError | null;
  onSave: (cropped: Blob) => void;
  onClose: () => void;
};

/** Lets a person choose the square part of a picture that becomes their avatar: by dragging, or with the sliders. */
export function CropDialog({ picture, isPending, refusal, onSave, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState<Crop>(wholeCrop);
  const dragged = useRef<{ x: number; y: number } | null>(null);

  /** Paints a canvas. React calls this for both canvases when they are on the page, and again after every change. */
  const paint = (canvas: HTMLCanvasElement | null) => {
    if (canvas) paintCrop(canvas, picture, crop);
  };

  const change = (part: Partial<Crop>) => setCrop((known) => ({ ...known, ...part }));

  function drag({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) {
    const from = dragged.current;
    if (!from) return;
    dragged.current = { x: clientX, y: clientY };
    const side = Math.min(picture.width, picture.height) / crop.zoom;
    const perPixel = side / currentTarget.clientWidth;
    const moved = (position: number, by: number, room: number) =>
      room <= 0 ? position : Math.min(1, Math.max(0, position - (by * perPixel) / room));
    setCrop((known) => ({
      ...known,
      x: moved(known.x, clientX - from.x, picture.width - side),
      y: moved(known.y, clientY - from.y, picture.height - side),
    }));
  }

  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Choose the part to show"
      description="Drag the picture, or use the sliders."
      submit="Save picture"
      pendingLabel="Saving..."
      isPending={isPending}
      refusal={refusal}
      onSubmit={async () => onSave(await cropPicture(picture, crop))}
    >
      <div className="flex flex-wrap items-end justify-center gap-6">
        <canvas
          ref={paint}
          width={stagePixels}
          height={stagePixels}
          aria-hidden
          className="size-72 max-w-full max-sm:size-56 cursor-move touch-none rounded-lg border"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            dragged.current = { x: event.clientX, y: event.clientY };
          }}
          onPointerMove={drag}
          onPointerUp={() => {
            dragged.current = null;
          }}
          onPointerCancel={() => {
            dragged.current = null;
          }}
        />
        <figure className="flex flex-col items-center gap-2 text-sm text-muted-foreground">
          <canvas
            ref={paint}
            width={previewPixels}
            height={previewPixels}
            aria-hidden
            className="size-24 max-sm:size-20 rounded-full border"
          />
          <figcaption>Preview</figcaption>
        </figure>
      </div>
      <div className="space-y-3">
        <Slider label="Zoom" value={crop.zoom} min={1} max={maxZoom} onChange={(zoom) => change({ zoom })} />
        <Slider label="Left or right" value={crop.x} min={0} max={1} onChange={(x) => change({ x })} />
        <Slider label="Up or down" value={crop.y} min={0} max={1} onChange={(y) => change({ y })} />
      </div>
    </FormDialog>
  );
}

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
};

function Slider({ label, value, min, max, onChange }: SliderProps) {
  return (
    <label className="grid grid-cols-[7rem_1fr] items-center gap-3 text-sm">
      {label}
      <input
        type="range"
        min={min}
        max={max}
        step={(max - min) / 50}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        className="h-6 w-full accent-primary touch:h-11"
      />
    </label>
  );
}
