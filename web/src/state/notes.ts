/** Short messages of the page: what happened, and what the reader can do about it. */

import type { Signal } from '@preact/signals-core';

export interface NoteAction {
  label: () => string;
  run: () => void;
}

export interface Note {
  /** One note an id: a newer one takes the place of the older. */
  id: string;
  kind: 'info' | 'warning' | 'error';
  /** Called at each drawing, so that a note speaks the language on screen. */
  text: () => string;
  actions?: readonly NoteAction[];
  /** Whether the reader can put it away. */
  dismissible?: boolean;
}

export function addNote(notes: Signal<readonly Note[]>, note: Note): void {
  notes.value = [...notes.peek().filter(({ id }) => id !== note.id), note];
}

export function dropNote(notes: Signal<readonly Note[]>, id: string): void {
  if (notes.peek().some((note) => note.id === id)) {
    notes.value = notes.peek().filter((note) => note.id !== id);
  }
}
