"use client";

import { type ComponentType, useEffect, useState } from "react";
import { FIND_EVENT } from "@/components/staff/find/find-button";
import type { ConsoleScreen } from "@/components/staff/screens";

type Palette = ComponentType<{
  screens: readonly ConsoleScreen[];
  roles: readonly string[];
  onClose: () => void;
}>;

/** Shows the palette after a press of a find button, ⌘K or Ctrl+K. Its code is loaded at its first use. */
export function FindHost({
  screens,
  roles,
}: {
  screens: readonly ConsoleScreen[];
  roles: readonly string[];
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [Palette, setPalette] = useState<Palette>();

  useEffect(() => {
    const open = () => setIsOpen(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey) return;
      event.preventDefault();
      setIsOpen((wasOpen) => !wasOpen);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener(FIND_EVENT, open);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener(FIND_EVENT, open);
    };
  }, []);

  useEffect(() => {
    if (!isOpen || Palette) return;
    let isCurrent = true;
    void import("./find-palette")
      .then(({ FindPalette }) => isCurrent && setPalette(() => FindPalette))
      .catch(() => isCurrent && setIsOpen(false));
    return () => {
      isCurrent = false;
    };
  }, [isOpen, Palette]);

  return isOpen && Palette ? (
    <Palette screens={screens} roles={roles} onClose={() => setIsOpen(false)} />
  ) : null;
}
