"use client";

import { type ComponentProps, useState } from "react";
import { Field, type FieldLabels, splitField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";

type Props = Omit<ComponentProps<"input">, "type"> & FieldLabels & { labels: { show: string; hide: string } };

/** A password field with a visibility toggle. `autoComplete` defaults to "current-password". */
export function PasswordInput({ labels, ...props }: Props) {
  const [field, input] = splitField(props);
  const [shown, setShown] = useState(false);
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <input
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? "text" : "password"}
            className="control pr-12"
          />
          <button
            type="button"
            aria-label={shown ? labels.hide : labels.show}
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
            className="hit absolute inset-y-0 right-0 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
          >
            <Icon name={shown ? "eye-off" : "eye"} />
          </button>
        </div>
      )}
    </Field>
  );
}
