import { notesOf } from "@/lib/answer-notes";
import type { Quotable } from "@/lib/references";
import { citationsInOrder, type ShownAnswer } from "./shown-answer";

/** An answer as it is handed on. */
export function quotableOf(answer: ShownAnswer): Quotable {
  const citations = citationsInOrder(answer);
  const { question, text, coverage, evidence, model } = answer;
  return { question, text, citations, notes: notesOf(citations, { coverage, read: evidence.length, model }) };
}

/** The answers as they are handed on; those on their way or without a word are left out. */
export function quotable(answers: readonly ShownAnswer[]): Quotable[] {
  return answers
    .filter((answer) => answer.text !== "" && answer.status !== "running" && answer.status !== "stopping")
    .map(quotableOf);
}
