"use client";

import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { showToast } from "@/components/ui/toast";

/** Copies a text, or what `text` loads first. A toast announces the result or a refusal by the browser. */
export function CopyButton({
  text,
  labels,
  look = "secondary",
  onCopied,
}: {
  text: string | (() => Promise<string>);
  labels: { copy: string; copied: string; failed: string };
  look?: ButtonLook;
  /** Called with the copied text in place of the toast. */
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
      const content = typeof text === "string" ? text : await text();
      await navigator.clipboard.writeText(content);
      setCopied(true);
      if (onCopied) onCopied(content);
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
