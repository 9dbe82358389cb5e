"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";

type QuestionWords = {
  button: string;
  title: string;
  text: string;
  done: string;
  keep: string;
  close: string;
  network: string;
};

/** A button that asks before it does something to an order that cannot be taken back. */
export function OrderQuestion({
  path,
  orderId,
  words,
  onDone,
  icon,
}: {
  path: "/order/cancel" | "/order/delete";
  orderId: string;
  words: QuestionWords;
  /** What follows; without it the page is read again. */
  onDone?: () => void;
  icon?: ReactNode;
}) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function act() {
    setPending(true);
    setProblem(undefined);
    const answer = await api.post(path, { order_id: orderId }, { networkMessage: words.network });
    setPending(false);
    if (!answer.ok) return setProblem(answer.message);
    setOpen(false);
    showToast(words.done);
    if (onDone) onDone();
    else router.refresh();
  }

  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {icon}
        {words.button}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.title}
        closeLabel={words.close}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{words.keep}</Button>
            <Button look="danger" pending={pending} onClick={act}>
              {words.button}
            </Button>
          </>
        }
      >
        <p>{words.text}</p>
        {problem && (
          <Notice kind="bad" live className="mt-4">
            {problem}
          </Notice>
        )}
      </Dialog>
    </>
  );
}
