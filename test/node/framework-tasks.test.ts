// The contract of the client's task handles, with the development framework in place of their stub.

import { answerBy } from '../contract/support/framework.ts'

answerBy('the development framework')
await import('../contract/tasks.test.ts')
