"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "@/components/ui/icon";

/** A modal dialog. Escape, a press outside and its button close it. A bottom sheet on phones. */
export function Dialog({
  open,
  onClose,
  title,
  closeLabel,
  actions,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, and the browser's own.
    <dialog
      ref={ref}
      aria-labelledby={id}
      className="dialog"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {open && (
        <div className="flex flex-col gap-4 p-5 sm:p-6">
          <div className="flex items-start justify-between gap-4">
            <h2 id={id} className="pt-1.5 text-21">
              {title}
            </h2>
            <button
              type="button"
              aria-label={closeLabel}
              onClick={onClose}
              className="hit -mt-1 -mr-2 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
            >
              <Icon name="close" />
            </button>
          </div>
          {children}
          {actions && <div className="dialog-actions">{actions}</div>}
        </div>
      )}
    </dialog>
  );
}
