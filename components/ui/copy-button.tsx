"use client";

import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { showToast } from "@/components/ui/toast";

/**
 * Copies a text, or what `text` fetches first. The icon turns into a tick for two seconds; a toast says
 * it to those who do not see it, and says so when the browser refuses.
 */
export function CopyButton({
  text,
  labels,
  look = "secondary",
  onCopied,
}: {
  text: string | (() => Promise<string>);
  labels: { copy: string; copied: string; failed: string };
  look?: ButtonLook;
  /** What says it instead of a toast, with the copied text. */
  onCopied?: (text: string) => void;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      const copying = typeof text === "string" ? text : await text();
      await navigator.clipboard.writeText(copying);
      setCopied(true);
      if (onCopied) onCopied(copying);
      else showToast(labels.copied, "good");
    } catch {
      showToast(labels.failed, "bad");
    }
  };
  return (
    <Button look={look} onClick={copy}>
      <Icon name={copied ? "check" : "copy"} size={18} />
      {labels.copy}
    </Button>
  );
}
