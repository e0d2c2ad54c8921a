"""Payments with Adyen's own Python library, as its documentation shows it: python3 loop.py urllib|requests.

The first line of standard input is the work in JSON; each further line is a number of payments to make, and how many of
them are under way at a time, which is answered by a line with what they cost.
"""

import copy
import itertools
import json
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from Adyen.client import AdyenClient


class Till:
    """One client of the library with the message of its next payment."""

    def __init__(self, work, numbers):
        self.client = AdyenClient(xapikey=work["key"], platform="test", http_force=sys.argv[1])
        self.url, self.message, self.numbers = work["url"], copy.deepcopy(work["body"]), numbers
        request = self.message["SaleToPOIRequest"]
        self.header, self.sale = request["MessageHeader"], request["PaymentRequest"]["SaleData"]["SaleTransactionID"]
        self.amount = request["PaymentRequest"]["PaymentTransaction"]["AmountsReq"]["RequestedAmount"]

    def pay(self, count):
        for _ in range(count):
            number = next(self.numbers)
            self.header["ServiceID"] = f"{sys.argv[1][0]}{number:09}"
            self.sale["TransactionID"] = f"{sys.argv[1]}-{number}"
            reply = self.client.call_adyen_api(self.message, "terminal", "POST", self.url)
            answer = reply.message["SaleToPOIResponse"]["PaymentResponse"]
            paid = answer["PaymentResult"]["AmountsResp"]["AuthorizedAmount"]
            if answer["Response"]["Result"] != "Success" or paid != self.amount:
                raise SystemExit("the payment was not approved as it was asked for")


def main():
    work, numbers = json.loads(sys.stdin.readline()), itertools.count(1)
    tills = [Till(work, numbers) for _ in range(64)]
    pool = ThreadPoolExecutor(64)
    for line in sys.stdin:
        count, width = map(int, line.split())
        before, start = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        if width == 1:
            tills[0].pay(count)
        else:
            list(pool.map(lambda till: till.pay(count // width), tills[:width]))
        took, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
        cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        switches = after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw
        said = {"time": round(took * 1e6), "cost": round(cost * 1e6), "switches": switches}
        print(json.dumps(said), flush=True)


main()
