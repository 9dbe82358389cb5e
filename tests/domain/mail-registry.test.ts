import { expect, it } from "vitest";
import { SendMail } from "@/lib/notifications/contract";
import { unregisteredMails } from "@/lib/notifications/jobs";
import { allJobs } from "@/scripts/work";

it("the worker registers every mail event", () => {
  expect(unregisteredMails()).toEqual([]);
  expect(allJobs.map(({ name }) => name)).toContain(SendMail.name);
});
