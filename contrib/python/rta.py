# rta.py - response times under preemptive fixed priorities (Joseph and Pandya, 1986), for tasks that use the core alone
import cegsim_bound


def bounds(question):
    tasks = question["tasks"]  # the highest priority first

    def response(i):
        def demand(r):
            return cegsim_bound.worst(tasks[i]) + sum(-(-r // t["period"]) * cegsim_bound.worst(t) for t in tasks[:i])

        return cegsim_bound.fixed_point(demand, 1, tasks[i]["deadline"])

    return [response(i) for i in range(len(tasks))]


cegsim_bound.answer(bounds)
