"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";

type RemoveLabels = {
  button: string;
  accessibleName: string;
  title: string;
  text: string;
  done: string;
  keep: string;
  close: string;
};

/** The entry was already removed, so the removal counts as successful. */
const ALREADY_REMOVED = "40406";

/** Removes a stored card or address after a confirmation. `onDone` receives null when it was already removed. */
export function RemoveButton<T>({
  path,
  body,
  labels,
  onDone,
}: {
  path: "/auth/payment/delete" | "/auth/billing/delete";
  body: object;
  labels: RemoveLabels;
  onDone: (result: T | null) => void;
}) {
  const { pending, run, post } = useCalls(useTranslations("errors")("network"));
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState("");

  async function remove() {
    setProblem("");
    const result = await post<T>(path, body);
    if (!result.ok && result.code !== ALREADY_REMOVED) return setProblem(result.message);
    setOpen(false);
    showToast(labels.done);
    onDone(result.ok ? result.data : null);
  }

  return (
    <>
      <Button look="quiet" aria-label={labels.accessibleName} onClick={() => setOpen(true)}>
        <Icon name="trash" size={18} className="text-quiet" />
        <span className="max-sm:sr-only">{labels.button}</span>
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={labels.title}
        closeLabel={labels.close}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{labels.keep}</Button>
            <Button look="danger" pending={pending !== undefined} onClick={() => void run("remove", remove)}>
              {labels.button}
            </Button>
          </>
        }
      >
        <p className="text-quiet">{labels.text}</p>
        <ErrorNotice>{problem}</ErrorNotice>
      </Dialog>
    </>
  );
}
