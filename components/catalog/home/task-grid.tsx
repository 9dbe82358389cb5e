"use client";

import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { Task } from "@/lib/catalog/rules-tasks";

const ICONS: Record<Task, IconName> = {
  transcribe: "waveform",
  background: "picture",
  captions: "captions",
  translate: "letters",
  code: "code",
  draft: "pencil",
  spreadsheet: "table",
  slides: "slides",
};

/** A client component, so that the page carries the tiles' texts only and not their markup a second time. */
export function TaskGrid({ tasks }: { tasks: readonly { task: Task; text: string; query: string }[] }) {
  return (
    <ul className="task-tiles">
      {tasks.map(({ task, text, query }) => (
        <li key={task}>
          <Link href={`/search?q=${encodeURIComponent(query)}`} rel="nofollow">
            <Icon name={ICONS[task]} size={22} />
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
