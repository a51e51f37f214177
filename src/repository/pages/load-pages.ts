/** Answers with pages for people, whose code is loaded when the first one is asked for. */
import { lazyModule } from '../../basics/lazy-module.ts';
import type { AnswerPage } from '../engine/engine-options.ts';

const loadPages = lazyModule(() => import('./answer-page.ts'), 'answerPage');

export const answerPageLate: AnswerPage = async (request, world) => (await loadPages()).answerPage(request, world);
