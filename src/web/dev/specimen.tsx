import type { ReactNode } from 'react';

/** One component of the gallery under its name. */
export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="py-4">
      <h3 className="mb-3 text-xs font-medium tracking-normal text-muted-foreground">{name}</h3>
      {children}
    </div>
  );
}
