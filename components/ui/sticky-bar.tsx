import type { ReactNode } from "react";

/**
 * The total and main button of a phone screen, at the bottom of the window above the mobile bar; in a low window at its
 * place.
 */
export function StickyBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky-bar max-[359px]:gap-2 max-[359px]:[&_.button-large]:px-3 max-[359px]:[&_.text-21]:text-17 sticky low:static low:flex-wrap bottom-[calc(var(--bar-height,0px)+env(safe-area-inset-bottom))] z-20 -mx-(--measure-edge) flex items-center gap-4 border-t border-hairline bg-paper px-(--measure-edge) py-3">
      {children}
    </div>
  );
}
