"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { REVISION_CONFLICT } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { type Send, useAction } from "./use-action";

/** Saves a form of a merchant's console: shows the errors of its fields, or that someone else has saved it since. */
export function useSave() {
  const { pending, problem, setProblem, act } = useAction();
  const router = useRouter();
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [isStale, setIsStale] = useState(false);

  async function save<T>(send: Send<T>, done: string): Promise<void> {
    setErrors({});
    const result = await act(send, done);
    setIsStale(!result.ok && result.code === REVISION_CONFLICT);
    if (result.ok || result.errors.length === 0) return;
    setErrors(Object.fromEntries(result.errors.map(({ path, message }) => [path, message])));
    setProblem("");
  }
  function load(): void {
    setProblem("");
    router.refresh();
  }
  return { pending, errors, save, failure: { problem, isStale, load } };
}

type Props = ReturnType<typeof useSave>["failure"] & { loadLabel: string };

/** The error of a save, with a button that loads the version of someone else. */
export function SaveProblem({ problem, isStale, load, loadLabel }: Props) {
  return (
    <>
      <ErrorNotice>{problem}</ErrorNotice>
      {problem && isStale && (
        <Button className="self-start" onClick={load}>
          {loadLabel}
        </Button>
      )}
    </>
  );
}
