import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";

/** A bottom sheet without JavaScript, opened by `popoverTarget={id}`. Its fields stay in their form. */
export function Sheet({
  id,
  title,
  closeLabel,
  action,
  children,
}: {
  id: string;
  title: string;
  closeLabel: string;
  /** The label of a button at the bottom that also closes the sheet. */
  action?: string;
  children: ReactNode;
}) {
  const close = { type: "button", popoverTarget: id, popoverTargetAction: "hide" } as const;
  return (
    <section id={id} popover="auto" aria-labelledby={`${id}-title`} className="sheet">
      <div className="flex items-center justify-between gap-4 pb-2">
        <h2 id={`${id}-title`} className="text-21">
          {title}
        </h2>
        <button
          {...close}
          aria-label={closeLabel}
          className="hit -mr-2.5 grid cursor-pointer place-items-center"
        >
          <Icon name="close" />
        </button>
      </div>
      {children}
      {action && (
        <button {...close} className="button button-secondary mt-5 w-full">
          {action}
        </button>
      )}
    </section>
  );
}
