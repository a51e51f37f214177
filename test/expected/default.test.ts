/** The default site answers as the contract, the recordings and the decisions say: the cases of `default/*.yml`. */
import { testAnswers } from './answers.ts';

testAnswers('default', async () => ({}));
